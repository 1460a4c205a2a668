"""Every error a person or a client can meet, in one tree.

TalekeeperError
├── BadInput              422  what was sent cannot be used
├── Unauthorized          401  who are you?
├── NotAllowed            403  your role may not do that
├── NotFound              404  no such thing here
├── TooMuch               429  too often (TooLarge 413: too big)
│   └── TooLarge
├── Conflict              409
│   ├── TurnInProgress         somebody is already acting in this scene
│   ├── HeadMoved              the timeline went on since you looked
│   └── NotLive                the channel is not live
├── Unavailable           503
│   ├── ModelDown              the model did not answer
│   ├── StoreDown              the database did not answer
│   └── NotConfigured          a setting is missing
└── Damaged               500
    ├── NewerDatabase          written by a newer Talekeeper
    └── CorruptWorld           a world file that does not add up

Foreign errors are translated into these at the adapter that meets them.
"""

from __future__ import annotations


class TalekeeperError(Exception):
    """`message` says what happened, `hint` what to do about it; both are meant for a person."""

    code = "error"
    status = 500
    retryable = False

    def __init__(self, message: str, hint: str = "", *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class BadInput(TalekeeperError):
    code = "bad_input"
    status = 422


class Unauthorized(TalekeeperError):
    code = "unauthorized"
    status = 401


class NotAllowed(TalekeeperError):
    code = "not_allowed"
    status = 403


class NotFound(TalekeeperError):
    code = "not_found"
    status = 404


class TooMuch(TalekeeperError):
    code = "too_much"
    status = 429
    retryable = True


class TooLarge(TooMuch):
    code = "too_large"
    status = 413
    retryable = False


class Conflict(TalekeeperError):
    code = "conflict"
    status = 409


class TurnInProgress(Conflict):
    code = "turn_in_progress"
    retryable = True


class HeadMoved(Conflict):
    code = "head_moved"


class NotLive(Conflict):
    code = "not_live"


class Unavailable(TalekeeperError):
    code = "unavailable"
    status = 503
    retryable = True


class ModelDown(Unavailable):
    code = "model_down"


class StoreDown(Unavailable):
    code = "store_down"


class NotConfigured(Unavailable):
    code = "not_configured"
    retryable = False


class Damaged(TalekeeperError):
    code = "damaged"
    status = 500


class NewerDatabase(Damaged):
    code = "newer_database"


class CorruptWorld(Damaged):
    code = "corrupt_world"
