"""/auth: accounts, logging in and out, and tokens for programs."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Path, Request, Response
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from talekeeper.doors.common import passwords
from talekeeper.doors.common.accounts import (
    MOST_PASSWORD,
    Account,
    any_account,
    check_name,
    check_password,
    create_account,
    find_account,
    password_of,
    refused,
    set_password,
)
from talekeeper.doors.common.gate import ACCOUNT, Caller
from talekeeper.doors.common.invites import get_invite
from talekeeper.doors.common.logins import Login, end_login, end_logins_of, open_login
from talekeeper.doors.common.seats import Power
from talekeeper.doors.common.tokens import Token, issue_token, list_tokens, revoke_token
from talekeeper.doors.web.api_router import api_router
from talekeeper.doors.web.entrance import (
    Address,
    Anybody,
    Known,
    TheGate,
    TheHouse,
    TheLimits,
    give_cookie,
    take_cookie,
)
from talekeeper.errors import NotAllowed, NotFound

router = api_router("/auth", "accounts")

Password = Annotated[str, Field(max_length=MOST_PASSWORD)]
Name = Annotated[str, Field(max_length=40, examples=["ada"])]
Scope = Literal["watch", "play", "run", "own"]


class Credentials(BaseModel):
    name: Name
    password: Password


class Registration(Credentials):
    invite: str | None = Field(default=None, max_length=60, description="The code of an invitation to a world.")


class NewPassword(BaseModel):
    old: Password
    new: Password


class Me(BaseModel):
    mode: Literal["single", "accounts"]
    signed_in: bool
    name: str
    admin: bool
    guest: bool
    registration: Literal["first", "invited", "open"] = Field(description="Who may make an account now.")
    csrf: str = Field(description="Send this back as X-CSRF-Token with whatever changes something.")


class NewToken(BaseModel):
    label: str = Field(min_length=1, max_length=80, examples=["my script"])
    scopes: list[Scope] = Field(min_length=1, max_length=4)
    days: int = Field(default=90, ge=1, le=3650)


class TokenOut(BaseModel):
    id: str
    label: str
    scopes: list[Scope]
    created_at: float
    expires_at: float


class TokenMade(TokenOut):
    token: str = Field(description="Shown this once.")


def _needs_accounts(gate: TheGate) -> None:
    if not gate.accounts:
        raise NotFound("There are no accounts here.", "Start with TALEKEEPER_AUTH=accounts to have them.")


@router.get("/me", summary="Who you are, and how one gets in")
async def me(caller: Anybody, gate: TheGate, house: TheHouse, request: Request) -> Me:
    first = gate.accounts and not await house.store.read(any_account)
    open_to_all = request.app.state.registration == "open"
    return Me(
        mode="accounts" if gate.accounts else "single",
        signed_in=caller is not None,
        name=caller.name if caller else "",
        admin=bool(caller and caller.admin),
        guest=bool(caller and caller.is_guest),
        registration="first" if first else "open" if open_to_all else "invited",
        csrf=gate.csrf.mark(caller.login) if caller and caller.login else "",
    )


@router.post("/register", status_code=201, summary="Make an account, and log in")
async def register(
    wish: Registration, gate: TheGate, house: TheHouse, limits: TheLimits, address: Address, request: Request,
    response: Response,
) -> Me:  # fmt: skip
    _needs_accounts(gate)
    limits.count("login", address)
    check_name(wish.name)
    check_password(wish.password)
    kept = await passwords.hashed(wish.password)
    now = house.services.clock()

    def make(conn: Connection) -> tuple[Account, Login]:
        if any_account(conn) and request.app.state.registration != "open":
            if wish.invite is None:
                raise NotAllowed("Accounts are made by invitation here.", "Ask somebody for a link to their world.")
            get_invite(conn, wish.invite, now)
        account = create_account(conn, wish.name, kept, now)
        return account, open_login(conn, ACCOUNT + account.name, now)

    account, login = await house.store.write(make)
    give_cookie(request, response, login)
    return await me(_caller(account, login), gate, house, request)


@router.post("/login", summary="Log in")
async def login(
    who: Credentials, gate: TheGate, house: TheHouse, limits: TheLimits, address: Address, request: Request,
    response: Response,
) -> Me:  # fmt: skip
    _needs_accounts(gate)
    limits.count("login", address)
    limits.check("password", who.name)
    kept = await house.store.read(lambda conn: password_of(conn, who.name))
    if not await passwords.matches(kept, who.password):
        limits.count("password", who.name)
        raise refused()
    limits.forget("password", who.name)
    renewed = await passwords.hashed(who.password) if kept and passwords.outdated(kept) else None

    def enter(conn: Connection) -> tuple[Account, Login]:
        account = find_account(conn, who.name)
        if account is None:
            raise refused()
        if renewed is not None:
            set_password(conn, account.name, renewed)
        return account, open_login(conn, ACCOUNT + account.name, house.services.clock())

    account, opened = await house.store.write(enter)
    give_cookie(request, response, opened)
    return await me(_caller(account, opened), gate, house, request)


@router.post("/logout", status_code=204, summary="Log out of this browser")
async def logout(caller: Anybody, house: TheHouse) -> Response:
    if caller is not None and caller.login:
        await house.store.write(lambda conn: end_login(conn, caller.login))
    response = Response(status_code=204)
    take_cookie(response)
    return response


@router.post("/password", status_code=204, summary="Change your password; every login ends, this one too")
async def change_password(
    wish: NewPassword, caller: Known, gate: TheGate, house: TheHouse, limits: TheLimits
) -> Response:
    _needs_accounts(gate)
    name = _account_of(caller)
    limits.check("password", name)
    check_password(wish.new)
    kept = await house.store.read(lambda conn: password_of(conn, name))
    if not await passwords.matches(kept, wish.old):
        limits.count("password", name)
        raise refused()
    renewed = await passwords.hashed(wish.new)

    def change(conn: Connection) -> None:
        set_password(conn, name, renewed)
        end_logins_of(conn, caller.holder)

    await house.store.write(change)
    response = Response(status_code=204)
    take_cookie(response)
    return response


@router.get("/tokens", summary="Your tokens")
async def tokens(caller: Known, gate: TheGate, house: TheHouse) -> list[TokenOut]:
    _needs_accounts(gate)
    _account_of(caller)
    return [_token(t) for t in await house.store.read(lambda conn: list_tokens(conn, caller.holder))]


@router.post("/tokens", status_code=201, summary="Make a token for a program")
async def make_token(wish: NewToken, caller: Known, gate: TheGate, house: TheHouse) -> TokenMade:
    _needs_accounts(gate)
    _account_of(caller)
    scopes: tuple[Power, ...] = tuple(dict.fromkeys(wish.scopes))
    token, words = await house.store.write(
        lambda conn: issue_token(conn, caller.holder, wish.label, scopes, wish.days, house.services.clock())
    )
    return TokenMade(**_token(token).model_dump(), token=words)


@router.delete("/tokens/{token}", status_code=204, summary="Revoke a token")
async def revoke(token: Annotated[str, Path(max_length=20)], caller: Known, gate: TheGate, house: TheHouse) -> Response:
    _needs_accounts(gate)
    _account_of(caller)
    await house.store.write(lambda conn: revoke_token(conn, caller.holder, token))
    return Response(status_code=204)


def _account_of(caller: Caller) -> str:
    """Only somebody who logged in changes how one gets in: a stolen token makes no further ones."""
    if caller.account is None or not caller.login:
        raise NotAllowed("That takes a login with a password.", "Log in, then try again.")
    return caller.account


def _caller(account: Account, login: Login) -> Caller:
    return Caller(holder=ACCOUNT + account.name, name=account.name, admin=account.admin, login=login.id)


def _token(token: Token) -> TokenOut:
    return TokenOut(
        id=token.id, label=token.label, scopes=list(token.scopes), created_at=token.created_at,
        expires_at=token.expires_at,
    )  # fmt: skip
