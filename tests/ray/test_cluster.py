"""Searches on a cluster of Ray with several machines, which are processes of this one."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import ray
import yaml
from ray.cluster_utils import Cluster
from ray.scripts.scripts import start as ray_start

from tests.python.support.project import ROOT
from tests.python.uir.tuning.samples import product
from tests.ray.recorded_work import RecordedWork
from uir.commands import main
from uir.ir import save_binary
from uir.tuning import Database, Progress, RayWorkers, RemoteWork, Result, Row, evolution, tune

CLIENT_PORT = 25_001


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    head = {"num_cpus": 0, "ray_client_server_port": CLIENT_PORT}
    made = started(lambda: Cluster(initialize_head=True, head_node_args=head))
    ray.init(made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture
def machines(cluster: Any) -> Iterator[list[Any]]:
    """Return two machines with a core each, which measure."""
    made = [add(cluster) for _ in range(2)]
    yield made
    for one in made:
        if one in cluster.list_all_nodes():
            cluster.remove_node(one)


def started(start: Callable[[], Any]) -> Any:
    """Return a started node; Ray gives up after 30 s, which a busy machine may exceed."""
    for _ in range(2):
        try:
            return start()
        except Exception as error:  # Ray raises no narrower type.
            if "timed out during startup" not in str(error):
                raise
    return start()


def add(cluster: Any) -> Any:
    node = started(lambda: cluster.add_node(num_cpus=1, resources={"uir_measure": 1}))
    cluster.wait_for_nodes()
    return node


def searched(
    path: Path, work: RecordedWork, trials: int = 24, patience: float = 120.0, progress: Any = None
) -> tuple[Result, RayWorkers]:
    workers = RayWorkers(work=work, patience=patience)
    result = tune(
        product(),
        budget="10m",
        trials=trials,
        database=path,
        cost_model="ridge",
        strategy=evolution,
        workers=workers,
        progress=progress,
    )
    return result, workers


def rows_of(path: Path) -> list[Row]:
    with Database(path) as database:
        assert not database.skipped
        return list(database.rows())


def checked(path: Path, trials: int = 24) -> None:
    """Check that each candidate is there once, with the outcome of a right measurement."""
    rows = [row for row in rows_of(path) if row.series == "search"]
    assert len(rows) == len({row.trace for row in rows}) == trials
    assert {row.outcome for row in rows} == {"ok"}


def test_a_search_measures_on_all_machines(machines: list[Any], tmp_path: Path) -> None:
    result, workers = searched(tmp_path / "a.db", RecordedWork())
    checked(tmp_path / "a.db")
    assert result.kernels[0].gain > 1 and workers.notes == []
    again, _ = searched(tmp_path / "a.db", RecordedWork())
    assert again.measured == 0 and again.kernels == result.kernels


def test_a_machine_that_is_killed_loses_no_candidate(
    cluster: Any, machines: list[Any], tmp_path: Path
) -> None:
    def kill_once(state: Progress) -> None:
        if state.measured == 6:
            cluster.remove_node(machines[0], allow_graceful=False)

    _, workers = searched(tmp_path / "a.db", RecordedWork(0.3), progress=kill_once)
    checked(tmp_path / "a.db")
    assert any("left the cluster" in note for note in workers.notes)


def test_a_machine_that_joins_takes_part(cluster: Any, machines: list[Any], tmp_path: Path) -> None:
    cluster.remove_node(machines[1])

    def join_once(state: Progress) -> None:
        if state.measured == 4:
            machines.append(add(cluster))

    _, workers = searched(tmp_path / "a.db", RecordedWork(0.5), progress=join_once)
    checked(tmp_path / "a.db")
    assert len(workers._nodes) == 2


@pytest.mark.parametrize(
    ("fault", "note"),
    [
        ("hangs", "did not answer for"),
        ("wrong times", "wrong answers, the last: the ratio 0.01 is not that of its pairs"),
        ("wrong values", "`wrong` where another machine measures"),
        ("raises", "no space is left"),
    ],
)
def test_a_machine_with_faults_is_left_out(
    machines: list[Any], tmp_path: Path, fault: str, note: str
) -> None:
    work = RecordedWork(0.2, {machines[0].node_id: fault})
    _, workers = searched(tmp_path / "a.db", work, patience=30.0)
    checked(tmp_path / "a.db")
    assert len(workers.notes) == 1 and note in workers.notes[0]


def test_without_machines_the_search_ends(
    cluster: Any, machines: list[Any], tmp_path: Path
) -> None:
    work = RecordedWork(0.0, {one.node_id: "wrong times" for one in machines})
    with pytest.raises(RuntimeError, match="no worker is left"):
        searched(tmp_path / "a.db", work, patience=10.0)
    for one in machines:
        cluster.remove_node(one)
    with pytest.raises(RuntimeError, match="no machine of the cluster can measure"):
        searched(tmp_path / "a.db", work, patience=10.0)


def test_unlike_processors_are_searched_apart(machines: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    names = {one.node_id: f"processor {place}" for place, one in enumerate(machines)}
    searched(path, RecordedWork(0.1, processors=names))
    with Database(path) as database:
        contexts = database.contexts()
        counts = [
            sum(row.series == "search" for row in database.rows(context=key)) for key in contexts
        ]
    assert {one.processor for one in contexts.values()} == {*names.values()}
    assert counts == [24, 24]


def test_a_driver_that_is_killed_resumes(cluster: Any, machines: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    command = [sys.executable, "-m", "tests.ray.driver", cluster.address, str(path), "30"]
    first = subprocess.Popen([*command, "0.3"], cwd=ROOT)
    end = time.monotonic() + 120
    while not path.exists() or len(rows_of(path)) < 8:
        assert first.poll() is None and time.monotonic() < end
        time.sleep(0.1)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    known = {row.trace for row in rows_of(path) if row.series == "search"}
    second = subprocess.run([*command, "0"], cwd=ROOT, capture_output=True, text=True, check=True)
    rows = rows_of(path)
    checked(path, 30)
    assert known < {row.trace for row in rows}
    assert int(second.stdout.split()[0]) == len(rows) - len(known)


def rate(path: Path, work: RemoteWork | None, **options: Any) -> float:
    """Return the candidates per second of a search, from the first to the last of them."""
    times: list[float] = []
    tune(
        product(),
        database=path,
        cost_model="ridge",
        strategy=evolution,
        workers=RayWorkers(work=work),
        progress=lambda _: times.append(time.monotonic()),
        **options,
    )
    return (len(times) - 1) / (times[-1] - times[0])


def test_two_machines_measure_almost_twice_as_much(
    cluster: Any, machines: list[Any], tmp_path: Path
) -> None:
    rates, real = [], []
    for count in (2, 1):
        # The first searches start the processes of the machines.
        rate(tmp_path / f"{count}-first.db", RecordedWork(), trials=4)
        rates.append(rate(tmp_path / f"{count}.db", RecordedWork(1.0), trials=32))
        rate(tmp_path / f"{count}-first-real.db", None, trials=4)
        real.append(rate(tmp_path / f"{count}-real.db", None, budget="20s"))
        if count == 2:
            cluster.remove_node(machines[1])
    print(f"recorded {rates[0] / rates[1]:.2f}, real {real[0] / real[1]:.2f}")
    assert rates[0] / rates[1] >= 1.9
    assert real[0] / real[1] >= 1.5


def test_the_command_searches_on_a_cluster(
    machines: list[Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("product.bin").write_bytes(save_binary(product()))
    command = ["tune", "product.bin", "-o", "a.json", "--trials", "3", "--workers", "ray"]
    assert main([*command, "--json"]) == 0, capsys.readouterr().err
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert result["measured_count"] >= 3
    assert {row.outcome for row in rows_of(Path("a.db"))} == {"ok"}


def test_a_client_searches_from_elsewhere(
    cluster: Any, machines: list[Any], tmp_path: Path
) -> None:
    path, address = tmp_path / "a.db", f"ray://127.0.0.1:{CLIENT_PORT}"
    command = [sys.executable, "-m", "tests.ray.driver", address, str(path), "24", "0"]
    subprocess.run(command, cwd=ROOT, check=True)
    checked(path)


def test_the_file_of_the_page_is_one_of_ray() -> None:
    page = (ROOT / "docs" / "models" / "cluster.md").read_text()
    (text,) = re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    schema = Path(ray.__file__).parent / "autoscaler" / "ray-schema.json"
    jsonschema.validate(yaml.safe_load(text), json.loads(schema.read_text()))
    commands = re.findall(r"^ *-? ?(ray start .*)$", page, re.MULTILINE)
    options = {option for one in commands for option in re.findall(r"--[a-z-]+", one)}
    known = {option for one in ray_start.params for option in one.opts}
    assert len(commands) == 4 and options <= known
