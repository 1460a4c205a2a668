"""The words events are made of: frozen, past tense, in one place. Changing one needs a decision record."""

from talekeeper.timeline.vocabulary.body import Body
from talekeeper.timeline.vocabulary.canon import Claim, Decision, ProposalDecided, ProposalStaged, Value
from talekeeper.timeline.vocabulary.event import PUBLIC, UNSEEN, Draft, Event
from talekeeper.timeline.vocabulary.fleet import FLEET_PREFIX, FleetDeed
from talekeeper.timeline.vocabulary.governance import DirectiveGiven, GuardActed
from talekeeper.timeline.vocabulary.kinds import BODIES, decode_body, encode_body, is_kind
from talekeeper.timeline.vocabulary.play import (
    ActionTaken,
    Check,
    DeedDone,
    LineSpoken,
    NarrationEdited,
    NarrationTold,
    OutcomeResolved,
    Reveal,
    RollMade,
    SecretTold,
    Tier,
    TimePassed,
    Verb,
)
from talekeeper.timeline.vocabulary.stream import ChatFlagged, ChatRemoved, ChatSaid, CompanionHeld, CompanionSpoke
from talekeeper.timeline.vocabulary.world import (
    ForkReason,
    SceneEnded,
    SceneOpened,
    SessionClosed,
    SessionOpened,
    TimelineForked,
    WorldCreated,
)

__all__ = [
    "BODIES", "FLEET_PREFIX", "PUBLIC", "UNSEEN", "ActionTaken", "Body", "ChatFlagged", "ChatRemoved",
    "ChatSaid", "Check", "Claim", "CompanionHeld", "CompanionSpoke", "Decision", "DeedDone", "DirectiveGiven",
    "Draft", "Event", "FleetDeed", "ForkReason", "GuardActed", "LineSpoken", "NarrationEdited",
    "NarrationTold", "OutcomeResolved", "ProposalDecided", "ProposalStaged", "Reveal", "RollMade",
    "SceneEnded", "SceneOpened", "SecretTold", "SessionClosed", "SessionOpened", "Tier", "TimePassed",
    "TimelineForked", "Value", "Verb", "WorldCreated", "decode_body", "encode_body", "is_kind",
]  # fmt: skip
