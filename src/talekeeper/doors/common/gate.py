"""The gate: a cookie or a token becomes a caller, and a caller gets their seat at a world. Who has none learns nothing about it."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection

from talekeeper.doors.common.accounts import find_account
from talekeeper.doors.common.keys import Signer
from talekeeper.doors.common.logins import find_login
from talekeeper.doors.common.seats import EVERY_POWER, OWNER, Power, Seat, find_seat, list_seats, owner_seat, worlds_of
from talekeeper.doors.common.tokens import PREFIX, find_token
from talekeeper.errors import NotAllowed, NotFound, Unauthorized
from talekeeper.observe.clock import Clock
from talekeeper.timeline.store import Store
from talekeeper.timeline.worlds import World, find_world, list_worlds

ACCOUNT, GUEST = "account:", "guest:"


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    holder: str
    """`owner` of a single-user install, `account:<name>`, or `guest:<id>` who came by an invitation."""
    name: str
    admin: bool = False
    powers: tuple[Power, ...] = EVERY_POWER
    login: str = ""
    """The login the cookie carried, if it was a cookie."""

    @property
    def is_guest(self) -> bool:
        return self.holder.startswith(GUEST)

    @property
    def account(self) -> str | None:
        return self.holder.removeprefix(ACCOUNT) if self.holder.startswith(ACCOUNT) else None

    def check(self, power: Power) -> None:
        if self.is_guest:
            raise NotAllowed("Guests cannot do that.", "It takes an account, or the owner of this Talekeeper.")
        if power not in self.powers:
            raise NotAllowed(f"Your token may not do that: it lacks the scope {power}.", "Make one that has it.")


HOST = Caller(holder=OWNER, name="Owner", admin=True)
"""Whoever opens a single-user install."""


class Gate:
    def __init__(self, store: Store, clock: Clock, key: bytes, *, accounts: bool) -> None:
        self._store = store
        self._clock = clock
        self.accounts = accounts
        self.cookies = Signer(key, "login cookie")
        self.csrf = Signer(key, "csrf")

    async def caller(self, *, cookie: str | None = None, token: str | None = None) -> Caller | None:
        """Who this is; None for nobody known. A token that does not hold is refused, a stale cookie only ignored."""
        if token is not None:
            found = await self._store.read(lambda conn: self._by_token(conn, token))
            if found is None:
                raise Unauthorized("That token does not hold (any more).", "Make a new one, or log in.")
            return found
        login = self.cookies.verify(cookie) if cookie else None
        known = await self._store.read(lambda conn: self._by_login(conn, login)) if login else None
        return known or (None if self.accounts else HOST)

    async def seat(self, caller: Caller, world: str, power: Power) -> Seat:
        seat = await self._store.read(lambda conn: seat_of(conn, caller, world))
        if seat is None:
            raise _no_world(world)
        seat.check(power)
        return seat

    def _by_token(self, conn: Connection, words: str) -> Caller | None:
        token = find_token(conn, words, self._clock()) if self.accounts and words.startswith(PREFIX) else None
        caller = _account_caller(conn, token.holder) if token else None
        return msgspec.structs.replace(caller, powers=token.scopes) if caller and token else None

    def _by_login(self, conn: Connection, id_: str) -> Caller | None:
        login = find_login(conn, id_, self._clock())
        if login is None:
            return None
        if login.holder.startswith(GUEST):
            return Caller(holder=login.holder, name="Guest", login=id_)
        caller = _account_caller(conn, login.holder) if self.accounts else None
        return msgspec.structs.replace(caller, login=id_) if caller else None


def _account_caller(conn: Connection, holder: str) -> Caller | None:
    account = find_account(conn, holder.removeprefix(ACCOUNT))
    return None if account is None else Caller(holder=holder, name=account.name, admin=account.admin)


def seat_of(conn: Connection, caller: Caller, world: str) -> Seat | None:
    """A world made where nobody logs in (in the terminal) has no seats yet: it is the admin's."""
    if find_world(conn, world) is None:
        return None
    seat = find_seat(conn, world, caller.holder)
    if seat is None and caller.holder == OWNER:
        seat = owner_seat(world)
    if seat is None and caller.admin and not any(s.role == "owner" for s in list_seats(conn, world)):
        name = caller.account or OWNER
        seat = Seat(world=world, id=name, role="owner", name=name, holder=caller.holder)
    return msgspec.structs.replace(seat, powers=caller.powers) if seat else None


def worlds_for(conn: Connection, caller: Caller) -> list[World]:
    """Those they have a seat in, last played first."""
    if caller.holder == OWNER:
        return list_worlds(conn)
    seated = worlds_of(conn, caller.holder)
    return [w for w in list_worlds(conn) if w.slug in seated or (caller.admin and seat_of(conn, caller, w.slug))]


def _no_world(world: str) -> NotFound:
    return NotFound(f"There is no world named {world[:80]!r} for you.", "See the list of your worlds.")
