"""The page about a search: the gain of each kernel, its curve, and its changes."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

from uir.tuning import Row
from uir.tuning.report import report_page
from uir.tuning.shares import KernelTime

from .samples import CONTEXT

BEFORE, AFTER = (f"ScheduleContraction: c: few_rows(rows={rows}, vectors=4)" for rows in (3, 4))
ROW = Row(
    "a1", (AFTER,), CONTEXT.key, "search", "ok", "faster", "f<g>", 0.5, (1.0,), (BEFORE,), (2.0,)
)


def test_the_page_has_gains_curves_and_changes() -> None:
    slower = replace(ROW, trace=(BEFORE + " ",), reason="slower", ratio=1.5)
    crash = replace(slower, trace=("x",), outcome="crash", reason="SIGSEGV", ratio=None)
    other = replace(ROW, kernel="b2", name="other", reason="equal", ratio=1.0)
    rows = [slower, crash, ROW, replace(ROW, series="confirm"), other]
    page = report_page(rows, CONTEXT, {"a1": KernelTime(0.75, 0.3), "b2": KernelTime(0.125)})
    body = ElementTree.fromstring(page[page.index("<body>") : page.index("</html>")])
    cells = ["".join(cell.itertext()) for cell in body.iter("td")]
    assert cells == [
        *("f<g>", "a1", "2.00", "75.0%", "30%", "60%"),
        *("other", "b2", "1.00", "12.5%", "", ""),
    ]
    texts = ["".join(one.itertext()) for one in body.iter("div")]
    assert "1 crash, 1 faster, 1 slower" in texts
    points = [one.attrib["points"] for one in body.iter("polyline")]
    # The time falls to half with the third candidate; the other kernel has one candidate.
    assert [re.findall(r",([\d.-]+)", one) for one in points] == [
        ["0.0", "0.0", "0.0", "50.0"],
        ["0.0", "0.0"],
    ]
    (changes,) = body.iter("pre")
    assert (changes.text or "").splitlines()[-2:] == [f"-{BEFORE}", f"+{AFTER}"]
    assert "http" not in page
