"""The resolver: what an action means, what must be rolled, and what follows."""

from talekeeper.agents.resolver.judge import Advice, Judgement, judge
from talekeeper.agents.resolver.recognise import Recognised, recognise
from talekeeper.agents.resolver.resolver import Adviser, Resolver
from talekeeper.agents.resolver.settle import settle

__all__ = ["Advice", "Adviser", "Judgement", "Recognised", "Resolver", "judge", "recognise", "settle"]
