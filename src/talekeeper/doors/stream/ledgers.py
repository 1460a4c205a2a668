"""Ledgers of sessions: as they stand now, and in their files once the session has ended."""

from __future__ import annotations

import asyncio
import json
import urllib.request

import msgspec
import structlog

from talekeeper.chronicle.ledger import LedgerRecord, discord_body, write
from talekeeper.doors.common.house import House
from talekeeper.doors.stream.settings import CompanionSettings
from talekeeper.loops.companion.ledger import LedgerWish, ledger_record
from talekeeper.loops.companion.session import Session, change

log = structlog.get_logger("talekeeper.stream")

_PATIENCE = 10.0


class Ledgers:
    def __init__(self, house: House, settings: CompanionSettings) -> None:
        self._house = house
        self._settings = settings

    async def record(self, session: Session) -> LedgerRecord:
        wish = LedgerWish(
            session=session, now=self._house.services.clock(), name=self._settings.ledger_name,
            silent=self._settings.silent_names,
        )  # fmt: skip
        return await self._house.store.read(lambda conn: ledger_record(conn, wish))

    async def write(self, session: Session) -> Session:
        """In all its forms; a full disk costs the file, not the session."""
        if session.ledger:
            return session
        record = await self.record(session)
        try:
            path = await asyncio.to_thread(write, record, self._settings.ledgers)
            for form in ("html", "obsidian"):
                await asyncio.to_thread(write, record, self._settings.ledgers, form)
        except OSError as error:
            log.error("ledger_not_written", session=session.id, error=str(error))
            return session
        await self._house.store.write(lambda conn: change(conn, session.id, ledger=str(path)))
        await self._tell_discord(record)
        return msgspec.structs.replace(session, ledger=str(path))

    async def _tell_discord(self, record: LedgerRecord) -> None:
        if self._settings.discord_webhook:
            try:
                await asyncio.to_thread(_post, self._settings.discord_webhook, discord_body(record))
            except OSError as error:
                # Never with the address in it: whoever knows that may write there.
                log.error("discord_not_told", session=record.session_id, error=type(error).__name__)


def _post(address: str, body: object) -> None:
    if not address.startswith(("https://", "http://")):
        raise OSError("not an address")
    headers = {"Content-Type": "application/json", "User-Agent": "talekeeper"}
    request = urllib.request.Request(address, json.dumps(body).encode(), headers, method="POST")
    with urllib.request.urlopen(request, timeout=_PATIENCE):
        pass
