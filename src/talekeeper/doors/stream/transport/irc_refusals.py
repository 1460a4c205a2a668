"""The many ways in which IRC servers say no: to a line, or to whoever wants to come in."""

from __future__ import annotations

from talekeeper.doors.stream.transport.irc_message import IrcMessage

_DROPS = frozenset(
    {
        "bad_unsupported_cmd", "cmds_available", "delete_message_error", "invalid_parent", "no_help", "no_permission",
        "tos_ban", "unavailable_command", "unrecognized_cmd", "untimeout_banned", "whisper_banned", "whisper_restricted",
    }
)  # fmt: skip
"""Notices besides those named `msg_...` that answer a line nobody was shown."""

_NUMERIC_DROPS = {
    "401": "no_such_channel", "403": "no_such_channel", "404": "cannot_send", "407": "too_many_targets",
    "411": "no_recipient", "412": "no_text", "415": "bad_mask", "417": "too_long", "442": "not_in_channel",
}  # fmt: skip

_NUMERIC_CREDENTIALS = frozenset({"432", "464", "465"})
_NUMERIC_JOINS = frozenset({"403", "405", "437", "471", "473", "474", "475", "476", "477", "489"})
_JOIN_NOTICES = frozenset(
    {"msg_banned", "msg_channel_suspended", "msg_channel_blocked", "msg_room_not_found", "tos_ban"}
)
_CREDENTIAL_WORDS = (
    "login authentication failed", "login unsuccessful", "improperly formatted auth", "invalid nick", "bad password",
    "password mismatch", "invalid password", "access denied",
)  # fmt: skip


def drop_reason(message: IrcMessage) -> str:
    """The server's word for why a line was not shown; empty when this is no such answer."""
    if message.command in _NUMERIC_DROPS:
        return _NUMERIC_DROPS[message.command]
    notice = message.tags.get("msg-id", "")
    refused = message.command == "NOTICE" and (notice.startswith("msg_") or notice in _DROPS)
    return notice if refused else ""


def credentials_refused(message: IrcMessage) -> str:
    """What a server says that will not let us in with this name and password, before it welcomed us; or nothing."""
    if message.command in _NUMERIC_CREDENTIALS:
        return message.last
    if message.command in {"NOTICE", "ERROR"} and any(words in message.last.lower() for words in _CREDENTIAL_WORDS):
        return message.last
    return ""


def join_refused(message: IrcMessage) -> str:
    if message.command in _NUMERIC_JOINS:
        return message.last
    return message.last if message.command == "NOTICE" and message.tags.get("msg-id") in _JOIN_NOTICES else ""
