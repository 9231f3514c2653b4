"""Random lists of primitives, most of which the checks have to judge."""

from __future__ import annotations

from random import Random

__all__ = ["random_list"]

STEPS = (1, 1, 2, 3, 4, 6, 8, 12, 16, 24)
TAILS = ("", "", ', tail="powers"', ', tail="pad"', ', tail="min"')


class _Draw:
    """A list as it grows; loops are likely to be lowerable, and are not always."""

    def __init__(self, random: Random, data: list[str], sums: list[str]) -> None:
        self.random = random
        self.data = data
        self.sums = sums
        self.axes = [*data, *sums]
        self.steps: list[str] = []
        self.loops: list[str] = []
        self.around: dict[str, int] = {}

    def tile(self, axis: str, step: int, tail: str) -> None:
        name = f"x{len(self.loops)}"
        self.steps.append(f'tile("{axis}", {step}, "{name}"{tail})')
        self.loops.append(name)
        self.around[axis] = step

    def step_of(self, axis: str) -> int:
        """Return a step that divides the one around it, most of the time."""
        around = self.around.get(axis, 0)
        least = 2 if axis in self.sums else 1
        fit = [step for step in STEPS if around % step == 0 and step >= least] or [around]
        return self.random.choice(fit if self.random.random() < 0.95 else STEPS)

    def tail_of(self, axis: str, step: int) -> str:
        if axis in self.sums and self.random.random() < 0.95:
            return "" if step == 1 else ', tail="min"'
        lanes = self.random.choice((2, 4, 8))
        if step % lanes == 0 and self.random.random() < 0.5:
            return f', tail="pad", lanes={lanes}'
        return self.random.choice(TAILS)

    def outer(self) -> None:
        for _ in range(self.random.randint(0, 4)):
            axis = self.random.choice(self.axes)
            step = self.step_of(axis)
            self.tile(axis, step, self.tail_of(axis, step))
            if self.random.random() < 0.15 and axis not in self.sums:
                self.steps.append(f'parallel("{self.loops[-1]}")')

    def inner(self) -> None:
        """Add the loops of registers, in an order that they often permit."""
        column = self.data[-1]
        if column not in self.around and self.random.random() < 0.7:
            self.tile(column, 8, ', tail="pad", lanes=8')
        for axis in [*self.sums, *self.data[:-1]]:
            if self.around.get(axis) != 1 and self.random.random() < 0.9:
                self.tile(axis, 1, "")
        around = self.around.get(column, 0)
        lanes = self.random.choice([lanes for lanes in (1, 2, 4, 8) if around % lanes == 0])
        for step in (lanes, 1):
            self.tile(column, step, "")
        self.steps.append(f'vectorize("{self.loops[-1]}")')

    def index_of(self, axis: str) -> list[str]:
        block = self.random.choice((2, 4, 8))
        return self.random.choice(
            [[axis], [axis], [f"{axis} // {block}", f"{axis} % {block}"], [f"{axis} % {block}"]]
        )

    def cache(self) -> None:
        axes = self.random.sample(self.axes, self.random.choice((1, len(self.axes))))
        map_ = [index for axis in axes[:2] for index in self.index_of(axis)]
        self.random.shuffle(map_)
        words = [self.random.choice(("left", "right")), self.random.choice(self.loops), *map_]
        self.steps.append(f"cache({', '.join(repr(word) for word in words)})")


def random_list(random: Random, data: list[str], sums: list[str]) -> list[str]:
    """Return steps for a nest of axes over elements and over terms, in the order of the nest."""
    is_fused = random.random() < 0.15 and len(data) > 1
    draw = _Draw(random, ["f", *data[2:]] if is_fused else data, sums)
    if is_fused:
        draw.steps.append(f'fuse("f", "{data[0]}", "{data[1]}")')
    draw.outer()
    if random.random() < 0.6:
        draw.inner()
    if draw.loops and random.random() < 0.3:
        draw.steps.append(f'unroll("{random.choice(draw.loops)}")')
    if draw.loops and random.random() < 0.35:
        draw.cache()
    if draw.loops and random.random() < 0.3:
        draw.steps.append(f'registers("{random.choice(draw.loops)}")')
    return draw.steps
