"""The scene loop: takes an action, runs the scene graph on its turn row, and goes on where a crash left it."""

from __future__ import annotations

import asyncio
import importlib
from typing import Any

import msgspec
import structlog
from sqlalchemy import Connection

from talekeeper.errors import Conflict, TalekeeperError
from talekeeper.loops.frames import Snapshot, TurnEnded, TurnRestarted, TurnStarted
from talekeeper.loops.intents import Act, Retry, Stop
from talekeeper.loops.running import RunningTurn
from talekeeper.loops.scene.acceptance import accept_action, clean_action
from talekeeper.loops.scene.checkpoints import Checkpoints
from talekeeper.loops.scene.retelling import retell
from talekeeper.loops.scene.work import Services, TurnWork
from talekeeper.observe.tasks import Supervisor
from talekeeper.presets.calendar import time_name
from talekeeper.timeline.lineage import path
from talekeeper.timeline.snapshots import WorldSnapshot, latest_snapshot
from talekeeper.timeline.turns import (
    RENEW_SECONDS,
    Turn,
    get_turn,
    renew_lease,
    take_lease,
    unfinished,
    write_turn,
)
from talekeeper.timeline.worlds import World, get_world

log = structlog.get_logger("talekeeper.scene")

MOST_ATTEMPTS = 2


class SceneLoop:
    def __init__(self, services: Services, tasks: Supervisor, checkpoints: Checkpoints) -> None:
        self._services = services
        self._tasks = tasks
        self._checkpoints = checkpoints
        self._graph: Any = None
        self._running: dict[tuple[str, str], RunningTurn] = {}

    async def act(self, intent: Act) -> RunningTurn:
        """Returns once the turn is safely accepted; watch it for what happens."""
        intent = msgspec.structs.replace(intent, text=clean_action(intent.text))
        services = self._services
        world, turn, new = await services.store.write(lambda conn: accept_action(conn, services, intent))
        if not new:
            return self._again(turn)
        return self._start(world, turn)

    async def retry(self, intent: Retry) -> RunningTurn:
        """The last turn told anew on a timeline of its own; a failed one run again where it is."""
        services = self._services
        world, turn = await services.store.write(lambda conn: retell(conn, services, intent))
        return self._start(world, turn)

    async def stop(self, intent: Stop) -> bool:
        """The text so far stays, the outcome stands. Says whether anything was running."""
        world = await self._services.store.read(lambda conn: get_world(conn, intent.world))
        running = self.running(world.slug, intent.timeline or world.active)
        if running is None:
            return False
        running.stopping.set()
        await running.ended.wait()
        return True

    async def resume(self, *, leases_void: bool) -> list[RunningTurn]:
        """Take up every turn nobody is working on; each goes on at the step that was running."""
        services = self._services
        now = services.clock()
        left = await services.store.read(lambda conn: unfinished(conn, now, leases_void=leases_void))
        return [running for turn in left if (running := await self._take_up(turn)) is not None]

    async def _take_up(self, turn: Turn) -> RunningTurn | None:
        services = self._services

        def take(conn: Connection) -> tuple[World, Turn] | None:
            if not take_lease(conn, turn, services.owner, services.clock()):
                return None
            mine = get_turn(conn, turn.world, turn.id)
            if mine.state == "resolved":
                # It was being told: what was shown is withdrawn, and it is told once more.
                mine = write_turn(conn, mine, attempt=mine.attempt + 1)
            return get_world(conn, turn.world), mine

        taken = await services.store.write(take)
        if taken is None:
            return None
        world, mine = taken
        log.info("turn_resumed", world=mine.world, turn=mine.id, state=mine.state, attempt=mine.attempt)
        return self._start(world, mine, resumed=True)

    def running(self, world: str, timeline: str) -> RunningTurn | None:
        return self._running.get((world, timeline))

    @property
    def is_warm(self) -> bool:
        return self._graph is not None

    async def warm(self) -> None:
        """Import and build the graph while somebody is still reading."""
        if self._graph is None:
            graph = await asyncio.to_thread(importlib.import_module, "talekeeper.loops.scene.graph")
            self._graph = graph.build_graph(await self._checkpoints.saver())

    def _start(self, world: World, turn: Turn, *, resumed: bool = False) -> RunningTurn:
        running = RunningTurn(turn.world, turn.id, turn.attempt)
        self._running[turn.world, turn.timeline] = running
        work = TurnWork(self._services, world, turn, running)
        self._tasks.spawn(self._run(work, resumed=resumed), f"turn {turn.world} {turn.id}")
        return running

    def _again(self, turn: Turn) -> RunningTurn:
        running = self._running.get((turn.world, turn.timeline))
        if running is not None and running.turn == turn.id:
            return running
        if turn.running:
            raise Conflict("That action is being told by another process.", "Follow the timeline to see it.")
        running = RunningTurn(turn.world, turn.id, turn.attempt)
        running.emit(TurnEnded, state=turn.state, head=turn.last_seq or turn.base_seq, error=_error_of(turn))
        return running

    async def _run(self, work: TurnWork, *, resumed: bool) -> None:
        turn, running = work.turn, work.running
        key = (turn.world, turn.timeline)
        running.emit(
            TurnStarted, number=turn.number, action=work.action, actor=turn.actor, teller=self._services.teller.name
        )
        if resumed and turn.state == "resolved":
            running.emit(TurnRestarted, reason="the telling was cut off; the dice stand")
        lease = self._tasks.spawn(self._keep_lease(turn), f"lease {turn.world} {turn.id}")
        try:
            if resumed and turn.attempt > MOST_ATTEMPTS:
                raise Conflict("This turn was cut off twice while it was told.", "Type /retry to try once more.")
            await self._invoke(work)
            await self._show_end(work)
        except TalekeeperError as error:
            await self._fail(work, error)
        except Exception as error:
            log.exception("turn_broke", world=turn.world, turn=turn.id)
            await self._fail(work, TalekeeperError(f"Something broke: {error!r}.", "Nothing was written. Type /retry."))
        finally:
            lease.cancel()
            if self._running.get(key) is running:
                del self._running[key]
            if not running.ended.is_set():
                head = turn.base_seq
                running.emit(
                    TurnEnded, state="interrupted", head=head, error={"code": "shutdown", "message": "Shutting down."}
                )

    async def _invoke(self, work: TurnWork) -> None:
        from talekeeper.loops.scene.graph import SceneRun  # noqa: PLC0415 - slow to import; warm() has done it as a rule

        await self.warm()
        turn = work.turn
        thread = f"{turn.world}/{turn.timeline}/{turn.scene}"
        await self._graph.ainvoke(
            {"turn_id": turn.id}, {"configurable": {"thread_id": thread}}, context=SceneRun(work), durability="async"
        )
        await self._checkpoints.forget(thread)

    async def _keep_lease(self, turn: Turn) -> None:
        services = self._services
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            await services.store.write(
                lambda conn: renew_lease(conn, turn.world, turn.id, services.owner, services.clock())
            )

    async def _show_end(self, work: TurnWork) -> None:
        turn = work.turn

        def look(conn: Connection) -> tuple[WorldSnapshot | None, str]:
            snapshot = latest_snapshot(conn, path(conn, turn.world, turn.timeline))
            return snapshot, _place_name(conn, work, snapshot)

        snapshot, place_name = await self._services.store.read(look)
        self._services.after_turn()
        head = turn.last_seq or turn.base_seq
        if snapshot is not None:
            work.running.emit(
                Snapshot, place=snapshot.place, place_name=place_name, now=snapshot.now,
                time_name=time_name(self._services.calendar(work.world), snapshot.now), weather=snapshot.weather,
                participants=snapshot.participants, world_version=head,
            )  # fmt: skip
        work.running.emit(TurnEnded, state=turn.state, head=head)

    async def _fail(self, work: TurnWork, error: TalekeeperError) -> None:
        """No events; the row keeps why, and the turn can be retried."""
        turn = work.turn
        said = {"code": error.code, "message": error.message, "hint": error.hint}
        encoded = msgspec.json.encode(said).decode()
        try:
            if turn.last_seq is None:
                await self._services.store.write(
                    lambda conn: write_turn(conn, turn, state="failed", error=encoded, ended_at=self._services.clock())
                )
        except TalekeeperError as worse:
            # The store itself is the trouble: the row stays as it was and is taken up at the next start.
            log.error("turn_not_failed", world=turn.world, turn=turn.id, error=str(worse))
        work.running.emit(TurnEnded, state="failed", head=turn.base_seq, error=said)


def _place_name(conn: Connection, work: TurnWork, snapshot: WorldSnapshot | None) -> str:
    if snapshot is None or not snapshot.place:
        return ""
    return work.name_of(conn, snapshot.place)


def _error_of(turn: Turn) -> dict[str, Any] | None:
    return msgspec.json.decode(turn.error) if turn.error else None
