"""Accounts: a name and a password. The first one made is the admin's."""

from __future__ import annotations

import re

import msgspec
from sqlalchemy import Boolean, Column, Connection, Float, Table, Text, delete, func, insert, select, update

from talekeeper.canon.authority import AUTHORITY
from talekeeper.doors.common.logins import login_table
from talekeeper.doors.common.seats import Seat, seat_table, seats_of
from talekeeper.doors.common.tokens import token_table
from talekeeper.errors import BadInput, Conflict, NotFound, Unauthorized
from talekeeper.timeline.store.metadata import metadata

account_table = Table(
    "account",
    metadata,
    Column("name", Text, primary_key=True),
    Column("password", Text, nullable=False),
    Column("admin", Boolean, nullable=False),
    Column("created_at", Float, nullable=False),
)
_a = account_table.c

LEAST_PASSWORD, MOST_PASSWORD = 10, 200
_NAME = re.compile(r"[a-z][a-z0-9-]{1,30}[a-z0-9]\Z")
RESERVED = frozenset(AUTHORITY) | {"everyone", "guard", "system", "admin", "anonymous", "guest", "rules"}
"""What else may stand in an event's `by`."""


class Account(msgspec.Struct, frozen=True):
    name: str
    admin: bool
    created_at: float


def check_name(name: str) -> str:
    if _NAME.match(name) is None or name in RESERVED:
        raise BadInput(
            f"{name[:40]!r} cannot be the name of an account.",
            "Use 3 to 32 small letters, digits and hyphens, beginning with a letter.",
        )
    return name


def check_password(password: str) -> str:
    if not LEAST_PASSWORD <= len(password) <= MOST_PASSWORD:
        raise BadInput(
            f"A password has {LEAST_PASSWORD} to {MOST_PASSWORD} characters.",
            "A few words one after the other do well.",
        )
    return password


def any_account(conn: Connection) -> bool:
    return conn.execute(select(func.count()).select_from(account_table)).scalar_one() > 0


def create_account(conn: Connection, name: str, password_hash: str, now: float) -> Account:
    account = Account(check_name(name), not any_account(conn), now)
    if find_account(conn, name) is not None:
        raise Conflict(f"There is already an account called {name}.", "Choose another name, or log in.")
    conn.execute(insert(account_table).values(password=password_hash, **msgspec.structs.asdict(account)))
    return account


def find_account(conn: Connection, name: str) -> Account | None:
    row = conn.execute(select(_a.name, _a.admin, _a.created_at).where(_a.name == name)).one_or_none()
    return None if row is None else Account(*row)


def password_of(conn: Connection, name: str) -> str | None:
    found: str | None = conn.execute(select(_a.password).where(_a.name == name)).scalar_one_or_none()
    return found


def set_password(conn: Connection, name: str, password_hash: str) -> None:
    conn.execute(update(account_table).where(_a.name == name).values(password=password_hash))


def list_accounts(conn: Connection) -> list[Account]:
    return [Account(*row) for row in conn.execute(select(_a.name, _a.admin, _a.created_at).order_by(_a.name))]


def get_account(conn: Connection, name: str) -> Account:
    account = find_account(conn, name)
    if account is None:
        raise NotFound(f"There is no account called {name[:40]!r}.", "See the list of accounts.")
    return account


def set_admin(conn: Connection, account: Account, *, admin: bool) -> Account:
    if not admin:
        _leave_an_admin(conn, account)
    conn.execute(update(account_table).where(_a.name == account.name).values(admin=admin))
    return msgspec.structs.replace(account, admin=admin)


def delete_account(conn: Connection, account: Account) -> list[Seat]:
    """With everything that was theirs but the worlds; gives the seats that are empty now."""
    _leave_an_admin(conn, account)
    holder = f"account:{account.name}"
    left = seats_of(conn, holder)
    for table in (seat_table, login_table, token_table):
        conn.execute(delete(table).where(table.c.holder == holder))
    conn.execute(delete(account_table).where(_a.name == account.name))
    return left


def _leave_an_admin(conn: Connection, account: Account) -> None:
    if account.admin and not any(a.admin and a.name != account.name for a in list_accounts(conn)):
        raise Conflict("Somebody has to be the admin.", "Make somebody else one first.")


def refused() -> Unauthorized:
    """The same words whether the name or the password was wrong."""
    return Unauthorized("That name and password do not go together.", "Check both and try again.")
