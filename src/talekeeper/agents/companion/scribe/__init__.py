"""The Scribe: what was talked about and when, moments worth a clip, and threads worth an article."""

from talekeeper.agents.companion.scribe.clips import ClipCandidate
from talekeeper.agents.companion.scribe.drafts import draft
from talekeeper.agents.companion.scribe.seeds import BlogSeed, blog_seeds
from talekeeper.agents.companion.scribe.summary import Deed, SummaryPart, summarise

__all__ = ["BlogSeed", "ClipCandidate", "Deed", "SummaryPart", "blog_seeds", "draft", "summarise"]
