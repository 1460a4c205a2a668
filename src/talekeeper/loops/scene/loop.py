"""The scene loop: takes an action, runs the scene graph on its turn row, and goes on where a crash left it."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Coroutine
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
from talekeeper.observe.charge import Charge, charged_to
from talekeeper.observe.tasks import Supervisor
from talekeeper.presets.calendar import time_name
from talekeeper.timeline.lineage import path
from talekeeper.timeline.snapshots import WorldSnapshot, latest_snapshot
from talekeeper.timeline.turns import (
    ENDED,
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
        self._warming = asyncio.Lock()
        self._running: dict[tuple[str, str], RunningTurn] = {}
        self.onlookers: list[Callable[[RunningTurn], None]] = []
        """Called with every turn that begins to be told here, whichever door it came in by."""

    async def act(self, intent: Act) -> RunningTurn:
        """Returns once the turn is safely accepted; watch it for what happens."""
        intent = msgspec.structs.replace(intent, text=clean_action(intent.text))
        return await _carry_through(self._accept(intent))

    async def _accept(self, intent: Act) -> RunningTurn:
        services = self._services
        world, turn, new = await services.store.write(lambda conn: accept_action(conn, services, intent))
        return self._start(world, turn) if new else self._again(turn)

    async def retry(self, intent: Retry) -> RunningTurn:
        """The last turn told anew on a timeline of its own; a failed one run again where it is."""
        return await _carry_through(self._retell(intent))

    async def _retell(self, intent: Retry) -> RunningTurn:
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
        # What runs here is in good hands, even if a sleeping machine let its lease run out.
        left = [turn for turn in left if (turn.world, turn.id) not in self._running]
        return [running for turn in left if (running := await self._take_up(turn)) is not None]

    async def watch_over(self) -> None:
        """Until cancelled: a turn whose process has died is taken up when its lease has run out."""
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                await self.resume(leases_void=False)
            except TalekeeperError as error:
                log.warning("resume_waits", error=str(error))

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
        """The turn being told on a timeline by this process, the longest running if several scenes are played on it."""
        found = (r for (where, turn), r in self._running.items() if where == world and turn.startswith(f"{timeline}#"))
        return next(found, None)

    @property
    def is_warm(self) -> bool:
        return self._graph is not None

    async def warm(self) -> None:
        """Import and build the graph while somebody is still reading."""
        async with self._warming:
            if self._graph is None:
                graph = await asyncio.to_thread(importlib.import_module, "talekeeper.loops.scene.graph")
                self._graph = graph.build_graph(await self._checkpoints.saver())

    def _start(self, world: World, turn: Turn, *, resumed: bool = False) -> RunningTurn:
        running = RunningTurn(turn.world, turn.id, turn.attempt)
        self._running[turn.world, turn.id] = running
        for look in self.onlookers:
            look(running)
        work = TurnWork(self._services, world, turn, running)
        self._tasks.spawn(self._run(work, resumed=resumed), f"turn {turn.world} {turn.id}")
        return running

    def _again(self, turn: Turn) -> RunningTurn:
        running = self._running.get((turn.world, turn.id))
        if running is not None:
            return running
        if turn.running:
            raise Conflict("That action is being told by another process.", "Follow the timeline to see it.")
        running = RunningTurn(turn.world, turn.id, turn.attempt)
        running.emit(TurnEnded, state=turn.state, head=turn.last_seq or turn.base_seq, error=_error_of(turn))
        return running

    async def _run(self, work: TurnWork, *, resumed: bool) -> None:
        turn, running = work.turn, work.running
        charged_to.set(Charge(turn.world, turn.id))
        started = self._services.clock()
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
            del self._running[turn.world, turn.id]
            if not running.ended.is_set():
                head = turn.base_seq
                running.emit(
                    TurnEnded, state="interrupted", head=head, error={"code": "shutdown", "message": "Shutting down."}
                )
            self._services.observer.turn_ended(running.result.state, self._services.clock() - started)
            await self._checkpoints.forget(_thread(turn))

    async def _invoke(self, work: TurnWork) -> None:
        from talekeeper.loops.scene.graph import SceneRun  # noqa: PLC0415 - slow to import; warm() has done it as a rule

        await self.warm()
        turn = work.turn
        thread = _thread(turn)
        await self._graph.ainvoke(
            {"turn_id": turn.id},
            {"configurable": {"thread_id": thread}},
            context=SceneRun(work),
            durability="exit",  # nothing goes on from a checkpoint: none is written while the run lasts
        )

    async def _keep_lease(self, turn: Turn) -> None:
        services = self._services
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                await services.store.write(
                    lambda conn: renew_lease(conn, turn.world, turn.id, services.owner, services.clock())
                )
            except TalekeeperError as error:
                log.warning("lease_not_renewed", world=turn.world, turn=turn.id, error=str(error))

    async def _show_end(self, work: TurnWork) -> None:
        turn = work.turn

        def look(conn: Connection) -> tuple[WorldSnapshot | None, str]:
            snapshot = latest_snapshot(conn, path(conn, turn.world, turn.timeline))
            return snapshot, _place_name(conn, work, snapshot)

        # A scene that ended with the turn has left the world elsewhere than the turn did.
        left: tuple[WorldSnapshot | None, str] | None = work.left_at if work.head is None else None
        snapshot, place_name = left if left is not None else await self._services.store.read(look)
        self._services.after_turn()
        head = work.head or turn.last_seq or turn.base_seq
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
        # Written turns stay written, whatever went wrong after.
        written = turn.state in ENDED
        head = turn.last_seq or turn.base_seq
        work.running.emit(TurnEnded, state=turn.state if written else "failed", head=head, error=said)


def _thread(turn: Turn) -> str:
    return f"{turn.world}/{turn.timeline}/{turn.scene}"


async def _carry_through(accepting: Coroutine[Any, Any, RunningTurn]) -> RunningTurn:
    """Whoever asked may go away meanwhile; what was accepted is told all the same."""
    task = asyncio.ensure_future(accepting)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        raise


def _place_name(conn: Connection, work: TurnWork, snapshot: WorldSnapshot | None) -> str:
    if snapshot is None or not snapshot.place:
        return ""
    return work.name_of(conn, snapshot.place)


def _error_of(turn: Turn) -> dict[str, Any] | None:
    return msgspec.json.decode(turn.error) if turn.error else None
