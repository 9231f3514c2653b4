"""Workers on the machines of a cluster of Ray."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from uir_nodes.ir import IRModule

from ...driver.processor import core_count
from ...ir import save_binary
from ..context import Context
from ..kernels import Kernel
from ..measure import Measured
from ..shares import KernelTime
from .nodes import MOST_FAULTS, Node, Pending, fault_of
from .remote_work import RemoteWork
from .workers import Settings, Task, Workers

__all__ = ["RESOURCE", "RayWorkers"]

RESOURCE = "uir_measure"
"""The resource of Ray that a measurement takes."""

_STEP = 1.0
"""The seconds between two looks at the machines of the cluster."""

_MOST_LOSSES = 3
"""How often a candidate may lose its machine, until it counts as a failure."""

_SURE = ("ok", "refused")
"""Outcomes that hold on each machine. Others count once a second machine agrees."""


class RayWorkers(Workers):
    """Machines of a cluster of Ray that have the resource `uir_measure`.

    Measurements are tasks of Ray on a machine that this process chooses, which alone writes the
    database. A candidate whose machine is lost, or does not answer, is measured on another one.
    A machine is left out after three answers that cannot be right: times that contradict
    themselves, or failures of candidates that another machine measures.

    Parameters
    ----------
    address
        The cluster, such as `ray://HOST:10001`; `ray` for that of this machine, which is started if
        there is none.
    work
        The work of the machines.
    patience
        The seconds after which a machine that does not answer is lost.

    Raises
    ------
    ImportError
        If Ray is not installed.
    """

    def __init__(
        self, address: str = "ray", work: RemoteWork | None = None, patience: float = 240.0
    ) -> None:
        super().__init__()
        self._ray = _ray()
        self._address, self._work, self._patience = address, work or RemoteWork(), patience
        self._nodes: dict[str, Node] = {}
        self._known: set[str] = set()
        self._probes: dict[Any, tuple[str, Mapping[str, float]]] = {}
        self._queue: list[Pending] = []
        self._running: dict[Any, Pending] = {}
        self._found_on: dict[tuple[str, str, tuple[str, ...]], str] = {}
        self._looked = 0.0
        self._last_seen: dict[str, float] = {}
        self._is_owner = False

    def start(self, settings: Settings) -> Sequence[Context]:  # noqa: D102 - as the base
        self._settings = settings
        self._connect()
        self._run = self._ray.remote(max_retries=0)(_run)
        self._shared = self._ray.put((self._work, settings))
        contexts: dict[str, Context] = {}
        self._look_for_nodes()
        while self._probes:
            contexts |= self._take_probes(self._patience)
        slots = Counter[str]()
        for node in self._nodes.values():
            slots[node.context] += node.slots
        if not slots:
            raise RuntimeError(
                f"no machine of the cluster can measure: start some with the resource `{RESOURCE}`"
                + "".join(f"; {note}" for note in self.notes)
            )
        self._last_seen = dict.fromkeys(slots, time.monotonic())
        with suppress(ValueError, RuntimeError):  # This machine need not be one of them.
            own = self._work.context(settings).key
            slots[own] *= 1 + sum(slots.values())
        return [contexts[key] for key, count in slots.most_common() if count]

    def profile(  # noqa: D102 - as the base
        self, context: str, module: IRModule, kernels: Mapping[str, Sequence[Kernel]]
    ) -> dict[str, KernelTime]:
        nodes = [node for node in self._nodes.values() if node.context == context]
        for node in nodes[:-1]:
            with suppress(self._ray.exceptions.RayError):
                return self._profile(node, module, kernels)
        return self._profile(nodes[-1], module, kernels)

    def free(self, context: str) -> int:  # noqa: D102 - as the base
        room = sum(node.room for node in self._nodes.values() if node.context == context)
        return room - sum(one.task.context == context for one in self._queue)

    def submit(self, task: Task) -> None:  # noqa: D102 - as the base
        pending = Pending(task)
        if task.confirms:
            # Noise of one machine does not confirm itself.
            pending.avoided |= {self._found_on.get(_key(task), "")}
        self._queue.append(pending)
        self._dispatch()

    def wait(self) -> list[tuple[Task, Measured]]:  # noqa: D102 - as the base
        made: list[tuple[Task, Measured]] = []
        if self._running:
            ended, _ = self._ray.wait([*self._running], timeout=_STEP)
            for ref in ended:
                made += self._take(self._running.pop(ref), ref)
        else:
            time.sleep(_STEP)
        if time.monotonic() - self._looked > _STEP:
            self._look_for_nodes()
            self._take_probes(0)
            made += self._end_late_tasks()
        self._dispatch()
        return made

    def lost(self, context: str) -> bool:  # noqa: D102 - as the base
        now = time.monotonic()
        for node in self._nodes.values():
            self._last_seen[node.context] = now
        return now - self._last_seen[context] > self._patience

    def close(self) -> None:  # noqa: D102 - as the base
        for ref in self._running:
            with suppress(Exception):  # The cluster may be gone.
                self._ray.cancel(ref)
        self._running.clear()
        if self._is_owner:
            self._ray.shutdown()

    def _connect(self) -> None:
        ray = self._ray
        if ray.is_initialized():
            return
        self._is_owner = True
        if self._address != "ray":
            ray.init(self._address, log_to_driver=False)
            return
        try:
            ray.init("auto", log_to_driver=False)
        except ConnectionError:
            cores = core_count()
            ray.init(num_cpus=cores, resources={RESOURCE: cores}, log_to_driver=False)

    def _profile(
        self, node: Node, module: IRModule, kernels: Mapping[str, Sequence[Kernel]]
    ) -> dict[str, KernelTime]:
        ref = self._begin(node.id, "profile", 1, save_binary(module), kernels)
        made: dict[str, KernelTime] = self._ray.get(ref, timeout=4 * self._patience)
        return made

    def _begin(self, node: str, method: str, slots: int, *arguments: object, cores: int = 1) -> Any:
        """Call a method of the work on a machine, and return the reference to its result."""
        strategies = import_module("ray.util.scheduling_strategies")
        chosen = strategies.NodeAffinitySchedulingStrategy(node, soft=False)
        resources = {RESOURCE: slots} if slots else {}
        options = self._run.options(num_cpus=cores, resources=resources, scheduling_strategy=chosen)
        return options.remote(self._shared, method, *arguments)

    def _look_for_nodes(self) -> None:
        """Forget machines that are gone, and ask new ones for their context."""
        self._looked = time.monotonic()
        found = {str(one["NodeID"]): one["Resources"] for one in self._ray.nodes() if one["Alive"]}
        for node in [*self._nodes.values()]:
            if node.id not in found:
                self._leave_out(node, "it left the cluster")
        for name, resources in found.items():
            if name not in self._known and resources.get(RESOURCE, 0) >= 1:
                self._known.add(name)
                self._probes[self._begin(name, "context", 0)] = name, resources

    def _take_probes(self, seconds: float) -> dict[str, Context]:
        """Add the machines that have answered, and return their contexts."""
        if not self._probes:
            return {}
        ended, late = self._ray.wait([*self._probes], timeout=seconds)
        if seconds and not ended:
            ended = late  # They fail below, in a moment.
        contexts: dict[str, Context] = {}
        for ref in ended:
            name, resources = self._probes.pop(ref)
            try:
                context = self._ray.get(ref, timeout=_STEP)
            except Exception as error:  # Machines may raise any error.
                self.notes.append(f"machine {name[:8]}: {str(error).strip().splitlines()[-1]}")
                continue
            contexts[context.key] = context
            slots, cores = int(resources[RESOURCE]), int(resources.get("CPU", 1))
            self._nodes[name] = Node(name, context.key, slots, cores)
        return contexts

    def _dispatch(self) -> None:
        """Give each task of the queue to a machine with room, if there is one."""
        waiting = self._queue
        self._queue = []
        for pending in waiting:
            node = self._choice(pending)
            if node is None:
                self._queue.append(pending)
            else:
                self._give(pending, node)

    def _choice(self, pending: Pending) -> Node | None:
        nodes = [one for one in self._nodes.values() if one.context == pending.task.context]
        # If only avoided machines are left, one of them must do.
        others = [one for one in nodes if one.id not in pending.avoided] or nodes
        return max((one for one in others if one.room > 0), key=lambda one: one.room, default=None)

    def _give(self, pending: Pending, node: Node) -> None:
        task = pending.task
        cores = node.cores if task.is_parallel else 1
        compiled = self._begin(node.id, "compile", 0, task)
        ref = self._begin(node.id, "measure", 1, task, compiled, cores=cores)
        pending.node, pending.end = node, time.monotonic() + self._patience
        node.running += 1
        self._running[ref] = pending

    def _take(self, pending: Pending, ref: Any) -> list[tuple[Task, Measured]]:
        """Take the answer of a machine: an outcome, or none if the task must run again."""
        node = pending.node
        assert node is not None
        node.running -= 1
        try:
            answer = self._ray.get(ref)
        except self._ray.exceptions.RayTaskError as error:
            self._blame(node, str(error).strip().splitlines()[-1])
            return self._again(pending)
        except self._ray.exceptions.RayError:
            return self._again(pending)
        if fault := fault_of(answer):
            self._blame(node, fault)
            return self._again(pending)
        return self._judge(pending, node, answer)

    def _judge(self, pending: Pending, node: Node, answer: Measured) -> list[tuple[Task, Measured]]:
        """Return the outcome, unless another machine must confirm a failure."""
        if answer.outcome not in _SURE and pending.failure is None and self._has_other(node):
            pending.failure = answer, node
            pending.avoided.add(node.id)
            self._queue.append(pending)
            return []
        if pending.failure is not None and answer.outcome == "ok":
            failure, other = pending.failure
            self._blame(other, f"`{failure.outcome}` where another machine measures")
        self._found_on[_key(pending.task)] = node.id
        return [(pending.task, answer)]

    def _has_other(self, node: Node) -> bool:
        return any(one is not node and one.context == node.context for one in self._nodes.values())

    def _again(self, pending: Pending) -> list[tuple[Task, Measured]]:
        """Return a task to the queue, or end it if it has lost too many machines."""
        assert pending.node is not None
        pending.losses += 1
        pending.avoided.add(pending.node.id)
        if pending.losses >= _MOST_LOSSES:
            return [(pending.task, Measured("crash", f"{pending.losses} machines were lost"))]
        self._queue.append(pending)
        return []

    def _end_late_tasks(self) -> list[tuple[Task, Measured]]:
        """Leave out machines that do not answer."""
        now, made = time.monotonic(), list[tuple[Task, Measured]]()
        for ref, pending in [*self._running.items()]:
            if pending.end < now and ref in self._running and pending.node is not None:
                node = pending.node
                self._ray.cancel(ref, force=True)
                del self._running[ref]
                made += self._again(pending)
                self._leave_out(node, f"it did not answer for {self._patience:g} s")
        return made

    def _blame(self, node: Node, fault: str) -> None:
        node.faults += 1
        if node.faults >= MOST_FAULTS:
            self._leave_out(node, f"{node.faults} wrong answers, the last: {fault}")

    def _leave_out(self, node: Node, why: str) -> None:
        """Use a machine no more, and return its tasks to the queue."""
        if self._nodes.pop(node.id, None) is None:
            return
        self.notes.append(f"machine {node.id[:8]}: {why}")
        for ref, pending in [*self._running.items()]:
            if pending.node is node:
                del self._running[ref]
                pending.avoided.add(node.id)
                self._queue.append(pending)


def _run(shared: tuple[RemoteWork, Settings], method: str, *arguments: object) -> object:
    """Call a method of the work on a machine of the cluster."""
    work, settings = shared
    return getattr(work, method)(settings, *arguments)


def _key(task: Task) -> tuple[str, str, tuple[str, ...]]:
    return task.context, task.kernel.hash, task.trace


def _ray() -> Any:
    try:
        return import_module("ray")
    except ImportError as error:
        raise ImportError("workers of Ray need the package ray: install `uir[tune]`") from error
