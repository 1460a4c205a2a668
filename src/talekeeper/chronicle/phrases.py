"""The house's own words for each kind of event; a kind's phrasings take turns."""

from __future__ import annotations

from .event import EventKind

K = EventKind

PHRASES: dict[EventKind, tuple[str, ...]] = {
    K.DISPATCH: (
        "{agent} was sent out to see to {detail}.",
        "A new errand fell to {agent}: {detail}.",
        "{agent} took up {detail}.",
        "Word came for {agent}: {detail}.",
    ),
    K.COMMIT: (
        "{agent} set down a piece of work: {detail}.",
        "From {agent}'s bench came a commit: {detail}.",
        "{agent} wrote into the history: {detail}.",
        "Another stone was laid by {agent}: {detail}.",
    ),
    K.PUSH: (
        "{agent} pushed the work up to the others ({detail}).",
        "{agent} sent the day's work upstream: {detail}.",
        "Upstream, {agent}'s work arrived ({detail}).",
    ),
    K.PR_OPEN: (
        "{agent} laid a pull request on the table: {detail}.",
        "{agent} asked the others to look: {detail}.",
        "A pull request from {agent} waited for its readers: {detail}.",
    ),
    K.PR_MERGE: (
        "{agent} saw it merged: {detail}.",
        "The gate opened for {agent}, and it was merged: {detail}.",
        "{agent} brought it home into the main line: {detail}.",
    ),
    K.ERROR: (
        "{agent} ran into trouble: {detail}.",
        "Something broke under {agent}'s hands: {detail}.",
        "{agent} was thrown back by an error: {detail}.",
        "It went wrong for {agent}: {detail}.",
    ),
    K.RECOVERY: (
        "{agent} got back up: {detail}.",
        "{agent} found the way through: {detail}.",
        "The trouble yielded to {agent}: {detail}.",
    ),
    K.ABANDON: (
        "{agent} let it go: {detail}.",
        "{agent} laid the work down unfinished: {detail}.",
        "{agent} turned away from it: {detail}.",
    ),
    K.COLLABORATION: (
        "{agent} joined hands with others: {detail}.",
        "{agent} and company put their heads together: {detail}.",
        "Side by side with others, {agent} worked on: {detail}.",
    ),
    K.HEARTBEAT: (
        "{agent} gave a sign of life ({detail}).",
        "{agent}'s lamp was still burning ({detail}).",
        "All was well with {agent} ({detail}).",
    ),
    K.IDLE: (
        "{agent} rested ({detail}).",
        "{agent} sat with empty hands ({detail}).",
        "There was nothing to do for {agent} ({detail}).",
    ),
    K.MILESTONE: (
        "{agent} reached a milestone: {detail}.",
        "A mark was carved on the doorpost for {agent}: {detail}.",
        "{agent} could look back on a day that counts: {detail}.",
    ),
}

WITHOUT_DETAIL: dict[EventKind, tuple[str, ...]] = {
    K.PUSH: (
        "{agent} pushed the work up to the others.",
        "{agent} sent the day's work upstream.",
        "Upstream, {agent}'s work arrived.",
    ),
    K.HEARTBEAT: (
        "{agent} gave a sign of life.",
        "{agent}'s lamp was still burning.",
        "All was well with {agent}.",
    ),
    K.IDLE: (
        "{agent} rested.",
        "{agent} sat with empty hands.",
        "There was nothing to do for {agent}.",
    ),
}
