"""/admin: accounts, effects that keep failing, and the audit of a world's turns."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from fastapi import Path, Query, Response
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from talekeeper.doors.common import passwords
from talekeeper.doors.common.accounts import (
    MOST_PASSWORD,
    Account,
    check_password,
    delete_account,
    get_account,
    list_accounts,
    set_admin,
    set_password,
)
from talekeeper.doors.common.gate import ACCOUNT
from talekeeper.doors.common.logins import end_logins_of
from talekeeper.doors.web.api_router import api_router
from talekeeper.doors.web.entrance import Admin, Running, TheAudience, TheHouse
from talekeeper.doors.web.turns import TimelineName
from talekeeper.timeline.audit import audit
from talekeeper.timeline.lineage import path
from talekeeper.timeline.outbox import Job, list_jobs, retry_parked
from talekeeper.timeline.worlds import get_world

router = api_router("/admin", "admin")
of_world = api_router("/worlds/{world}", "admin")

AccountName = Annotated[str, Path(max_length=40)]


class AccountOut(BaseModel):
    name: str
    admin: bool
    created_at: float


class AccountChange(BaseModel):
    admin: bool | None = None
    password: str | None = Field(default=None, max_length=MOST_PASSWORD, description="A new one; every login ends.")


class EffectOut(BaseModel):
    id: str
    effect: str
    world: str
    state: str = Field(description="pending or parked")
    attempts: int
    error: str | None
    created_at: float


class RetryWish(BaseModel):
    id: str | None = Field(default=None, max_length=300, description="All parked ones without it.")


class Retried(BaseModel):
    retried: int


class CallOut(BaseModel):
    role: str
    model: str
    context: str = Field(description="A hash of all that was sent.")
    tokens_in: int
    tokens_out: int
    estimated: bool
    first_token: float | None
    seconds: float
    error: str


class RulingOut(BaseModel):
    event: str
    by: str
    what: str
    about: str
    reason: str


class TurnAuditOut(BaseModel):
    turn: str
    number: int
    state: str
    calls: list[CallOut]
    rulings: list[RulingOut]


@router.get("/users", summary="All accounts")
async def users(_admin: Admin, house: TheHouse) -> list[AccountOut]:
    return [_account(a) for a in await house.store.read(list_accounts)]


@router.patch("/users/{name}", summary="Make an account an admin's or not; give it another password")
async def change_user(admin: Admin, name: AccountName, wish: AccountChange, house: TheHouse) -> AccountOut:
    renewed = await passwords.hashed(check_password(wish.password)) if wish.password is not None else None

    def change(conn: Connection) -> Account:
        account = get_account(conn, name)
        if wish.admin is not None:
            account = set_admin(conn, account, admin=wish.admin)
        if renewed is not None:
            set_password(conn, account.name, renewed)
            end_logins_of(conn, ACCOUNT + account.name)
        return account

    del admin
    return _account(await house.store.write(change))


@router.delete("/users/{name}", status_code=204, summary="Delete an account with its seats, logins and tokens")
async def delete_user(_admin: Admin, name: AccountName, house: TheHouse, audience: TheAudience) -> Response:
    left = await house.store.write(lambda conn: delete_account(conn, get_account(conn, name)))
    for seat in left:
        audience.reseat(seat.world, seat.id, None)
    return Response(status_code=204)


@router.get("/effects", summary="Work after turns that waits, or was parked because it kept failing")
async def effects(
    _admin: Admin,
    house: TheHouse,
    state: Annotated[Literal["pending", "parked"] | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> list[EffectOut]:
    wanted = ("pending", "parked") if state is None else (state,)
    return [_effect(job) for job in await house.store.read(lambda conn: list_jobs(conn, wanted, limit))]


@router.post("/effects/retry", summary="Give parked effects a fresh start")
async def retry(_admin: Admin, house: TheHouse, wish: RetryWish | None = None) -> Retried:
    now = house.services.clock()
    count = await house.store.write(lambda conn: retry_parked(conn, now, wish.id if wish else None))
    house.services.after_turn()
    return Retried(retried=count)


@of_world.get("/audit", summary="Every model call, decision, refusal and act of a guard, by turn")
async def audit_of(
    seat: Running,
    house: TheHouse,
    turn: Annotated[int | None, Query(ge=1, le=10**9)] = None,
    timeline: TimelineName = None,
) -> list[TurnAuditOut]:
    def look(conn: Connection) -> list[TurnAuditOut]:
        world = get_world(conn, seat.world)
        found = audit(conn, path(conn, world.slug, timeline or world.active), turn)
        return [TurnAuditOut.model_validate(_builtins(audited)) for audited in found]

    return await house.store.read(look)


def _account(account: Account) -> AccountOut:
    return AccountOut(name=account.name, admin=account.admin, created_at=account.created_at)


def _effect(job: Job) -> EffectOut:
    return EffectOut(
        id=job.id, effect=job.effect, world=job.world, state=job.state, attempts=job.attempts, error=job.error,
        created_at=job.created_at,
    )  # fmt: skip


def _builtins(value: msgspec.Struct) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(value)
    return built
