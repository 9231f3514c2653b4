"""Random pipelines, held against a model of what contexts, sequences and instruments do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from uir.ir import IRModule
from uir.transform import Pass, PassContext, PassInfo, Sequential, register_pass

from ...support.depth import DEPTH
from .passes import InstrumentError, Log, Recorder, recorded

NAMES = st.sampled_from("abcd")
LEVELS = st.integers(0, 3)
CALLS = ("enter", "exit", "should", "before", "after")
LOG: Log = []
# What the passes r0, r1 and r2 require, which are registered below.
REQUIRED: dict[str, list[str]] = {"r0": [], "r1": ["r0"], "r2": ["r1", "r0"]}


class PassFailure(Exception):
    """Raised by passes that are to fail."""


@dataclass(frozen=True)
class Leaf:
    """A pass that writes its name down, and may fail."""

    name: str
    level: int
    required: list[str]
    fails: bool


@dataclass(frozen=True)
class Sequence:
    """A sequence of passes."""

    name: str
    level: int
    passes: list[Plan]
    required: list[str] = field(default_factory=list)


Plan: TypeAlias = "Leaf | Sequence"


@dataclass(frozen=True)
class Watcher:
    """An instrument: the pass that it skips, and the call that fails."""

    name: str
    skips: str
    fails: str


@dataclass(frozen=True)
class Setting:
    """A context."""

    level: int
    required: list[str]
    disabled: list[str]
    watchers: list[Watcher]


leaves = st.builds(
    Leaf,
    NAMES,
    LEVELS,
    st.lists(st.sampled_from(sorted(REQUIRED)), max_size=2),
    st.integers(0, 9).map(lambda number: number == 0),
)
plans: st.SearchStrategy[Plan] = st.recursive(
    leaves,
    lambda plan: st.builds(Sequence, NAMES, LEVELS, st.lists(plan, max_size=3)),
    max_leaves=8,
)
watchers = st.lists(
    st.builds(Watcher, st.just("w"), NAMES | st.just(""), st.just("") | st.sampled_from(CALLS)),
    max_size=3,
).map(lambda found: [Watcher(f"w{i}", one.skips, one.fails) for i, one in enumerate(found)])
settings_of_runs = st.builds(
    Setting, LEVELS, st.lists(NAMES, max_size=2), st.lists(NAMES, max_size=2), watchers
)


class Watching(Recorder):
    """The instrument that a `Watcher` stands for."""

    def __init__(self, plan: Watcher) -> None:
        super().__init__(plan.name, LOG, fails=plan.fails)
        self.skips = plan.skips

    def should_run(self, module: IRModule, info: PassInfo, /) -> bool:
        return super().should_run(module, info) and info.name != self.skips


def made(plan: Plan) -> Pass:
    """Return the pass that a plan stands for."""
    if isinstance(plan, Sequence):
        return Sequential([*map(made, plan.passes)], plan.level, plan.name, plan.required)

    def act() -> None:
        if plan.fails:
            raise PassFailure(plan.name)

    return recorded(LOG, plan.name, plan.level, plan.required, act)


# A context may name a pass of another pipeline, as long as there is one.
for name in "abcd":
    recorded(LOG, name)
for name, needs in REQUIRED.items():
    register_pass(name, made(Leaf(name, 0, needs, False)))


class Model:
    """Writes down what is to happen."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.log: Log = []

    def run(self, plan: Plan) -> str:
        """Return the name of the error that ends the run; empty if there is none."""
        error = ""
        entered: list[Watcher] = []
        try:
            for watcher in self.setting.watchers:
                self.note(watcher, "enter")
                entered.append(watcher)
            self.run_pass(plan)
        except (PassFailure, InstrumentError) as failure:
            error = type(failure).__name__
        for watcher in entered:
            try:
                self.note(watcher, "exit")
            except InstrumentError:
                is_hidden = len(entered) < len(self.setting.watchers)
                error = error if is_hidden and error else "InstrumentError"
        return error

    def run_pass(self, plan: Plan) -> None:
        if plan.name not in self.setting.required:
            answers = [self.asks(watcher, plan) for watcher in self.setting.watchers]
            if not all(answers):
                return
        for watcher in self.setting.watchers:
            self.note(watcher, "before", plan.name)
        if isinstance(plan, Sequence):
            self.run_sequence(plan)
        else:
            self.log.append(plan.name)
            if plan.fails:
                raise PassFailure
        for watcher in self.setting.watchers:
            self.note(watcher, "after", plan.name)

    def run_sequence(self, sequence: Sequence) -> None:
        for plan in sequence.passes:
            if plan.name in self.setting.disabled:
                continue
            if plan.name not in self.setting.required and plan.level > self.setting.level:
                continue
            self.run_required(plan)
            self.run_pass(plan)

    def run_required(self, plan: Plan) -> None:
        for needed in plan.required:
            required = Leaf(needed, 0, REQUIRED[needed], False)
            self.run_required(required)
            self.run_pass(required)

    def asks(self, watcher: Watcher, plan: Plan) -> bool:
        self.note(watcher, "should", plan.name)
        return plan.name != watcher.skips

    def note(self, watcher: Watcher, call: str, name: str = "") -> None:
        self.log.append(f"{watcher.name}.{call} {name}".rstrip())
        if watcher.fails == call:
            raise InstrumentError


def run(plan: Plan, setting: Setting) -> str:
    """Run the passes that a plan stands for; return the name of the error, or nothing."""
    LOG.clear()
    instruments = [Watching(watcher) for watcher in setting.watchers]
    try:
        with PassContext(setting.level, setting.required, setting.disabled, instruments):
            made(plan)(IRModule())
    except (PassFailure, InstrumentError) as error:
        return type(error).__name__
    return ""


@settings(max_examples=100 * DEPTH, deadline=None)
@given(plans, settings_of_runs)
def test_a_pipeline_does_what_the_model_says(plan: Plan, setting: Setting) -> None:
    model = Model(setting)
    expected = model.run(plan)
    assert run(plan, setting) == expected
    assert model.log == LOG
    assert PassContext.current().opt_level == 2
