"""The order in which instruments are called, also when something fails."""

from __future__ import annotations

import gc
import weakref

import pytest

from uir.ir import IRModule
from uir.transform import Instrument, PassContext, Sequential, pass_instrument

from .passes import InstrumentError, Log, Recorder, recorded

MODULE = IRModule()


def test_all_are_called_in_order_around_each_pass() -> None:
    log: Log = []
    with PassContext(instruments=[Recorder("x", log), Recorder("y", log)]):
        recorded(log, "p")(MODULE)
    assert log == [
        *("x.enter", "y.enter", "x.should p", "y.should p", "x.before p", "y.before p"),
        *("p", "x.after p", "y.after p", "x.exit", "y.exit"),
    ]


def test_a_sequence_is_instrumented_itself() -> None:
    log: Log = []
    with PassContext(instruments=[Recorder("x", log)]):
        Sequential([recorded(log, "p")])(MODULE)
    assert log == [
        *("x.enter", "x.should sequential", "x.before sequential"),
        *("x.should p", "x.before p", "p", "x.after p"),
        *("x.after sequential", "x.exit"),
    ]


def test_all_are_asked_and_all_must_agree() -> None:
    log: Log = []
    instruments = [Recorder("x", log, answer=False), Recorder("y", log)]
    with PassContext(instruments=instruments):
        assert recorded(log, "p")(MODULE).same_as(MODULE)
    assert log == ["x.enter", "y.enter", "x.should p", "y.should p", "x.exit", "y.exit"]


def test_none_is_asked_about_a_required_pass() -> None:
    log: Log = []
    with PassContext(required_pass=["p"], instruments=[Recorder("x", log, answer=False)]):
        recorded(log, "p")(MODULE)
    assert log == ["x.enter", "x.before p", "p", "x.after p", "x.exit"]


@pytest.mark.parametrize(
    ("fails", "calls"),
    [
        ("enter", ["a.enter", "b.enter", "a.exit"]),
        ("should", ["a.should p", "b.should p"]),
        ("before", [*(f"{name}.should p" for name in "abc"), "a.before p", "b.before p"]),
        (
            "after",
            [
                *(f"{name}.{call} p" for call in ("should", "before") for name in "abc"),
                *("p", "a.after p", "b.after p"),
            ],
        ),
        (
            "exit",
            [
                *(f"{name}.{call} p" for call in ("should", "before") for name in "abc"),
                *("p", "a.after p", "b.after p", "c.after p"),
            ],
        ),
    ],
)
def test_an_error_in_an_instrument(fails: str, calls: list[str]) -> None:
    log: Log = []
    instruments = [Recorder(name, log, fails=fails if name == "b" else "") for name in "abc"]
    before = PassContext.current()
    with (
        pytest.raises(InstrumentError, match="^in instrument `b`: b fails$"),
        PassContext(instruments=instruments),
    ):
        recorded(log, "p")(MODULE)
    if fails != "enter":
        calls = ["a.enter", "b.enter", "c.enter", *calls, "a.exit", "b.exit", "c.exit"]
    assert log == calls
    assert PassContext.current().same_as(before)


def test_an_error_in_a_pass() -> None:
    log: Log = []

    def fail() -> None:
        raise KeyError("odd")

    sequence = Sequential([recorded(log, "p", act=fail), recorded(log, "q")])
    with pytest.raises(KeyError), PassContext(instruments=[Recorder("x", log)]):
        sequence(MODULE)
    assert log == [
        *("x.enter", "x.should sequential", "x.before sequential", "x.should p", "x.before p"),
        *("p", "x.exit"),
    ]


def test_errors_on_the_way_out_do_not_hide_the_first() -> None:
    log: Log = []
    instruments = [Recorder("a", log, fails="exit"), Recorder("b", log, fails="enter")]
    with pytest.raises(InstrumentError, match="b fails"), PassContext(instruments=instruments):
        pass
    assert log == ["a.enter", "b.enter", "a.exit"]
    log.clear()
    instruments = [Recorder(name, log, fails="exit") for name in "ab"]
    with pytest.raises(InstrumentError, match="a fails"), PassContext(instruments=instruments):
        pass
    assert log == ["a.enter", "b.enter", "a.exit", "b.exit"]


def test_a_class_with_some_of_the_methods() -> None:
    @pass_instrument
    class Counter:
        def __init__(self, start: int) -> None:
            self.count = start

        def run_before_pass(self, _module: IRModule, _info: object) -> None:
            self.count += 1

    counter = Counter(5)
    with PassContext(instruments=[counter]) as context:  # type: ignore[list-item]
        recorded([], "p")(MODULE)
    assert counter.count == 6
    assert [one.name for one in context.instruments] == ["Counter"]


def test_an_answer_that_is_no_bool() -> None:
    class Silent(Instrument):
        def should_run(self, _module: IRModule, _info: object, /) -> bool:
            return None  # type: ignore[return-value]

    message = "^in instrument `Silent`: `should_run` must return a bool, got `None`$"
    with pytest.raises(TypeError, match=message), PassContext(instruments=[Silent()]):
        recorded([], "p")(MODULE)


def test_instruments_are_given_back() -> None:
    recorder: Instrument | None = Recorder("x", [])
    assert recorder is not None
    gone = weakref.ref(recorder)
    with PassContext(instruments=[recorder]):
        recorded([], "p")(MODULE)
    recorder = None
    gc.collect()
    assert gone() is None
