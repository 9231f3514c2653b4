"""A headless browser for tests: Debian's Chromium, driven over the W3C WebDriver protocol."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

__all__ = ["Browser", "browser"]

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
)
CONTRAST = """
function channels(color) { return color.match(/[\\d.]+/g).map(Number); }
function over(front, back) {
  const alpha = front[3] ?? 1;
  return back.map((channel, i) => front[i] * alpha + channel * (1 - alpha));
}
function luminance([r, g, b]) {
  const linear = [r, g, b].map((c) => c / 255)
    .map((c) => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
  return .2126 * linear[0] + .7152 * linear[1] + .0722 * linear[2];
}
function background(element) {
  for (let at = element; at; at = at.parentElement) {
    const color = channels(getComputedStyle(at).backgroundColor);
    if (color.length === 3 || color[3] === 1) return color.slice(0, 3);
  }
  return [255, 255, 255];
}
// Texts of a picture are painted over the boxes of their group.
function behindText(element) {
  const boxes = element instanceof SVGElement ? [...element.parentElement.children] : [];
  return boxes.filter((one) => one.tagName === "rect").map((one) => getComputedStyle(one))
    .filter((style) => style.fill !== "none").map((style) => [style.fill, style.fillOpacity])
    .reduce((back, [fill, alpha]) => over([...channels(fill).slice(0, 3), alpha], back),
            background(element));
}
const poor = [];
for (const element of document.querySelectorAll(arguments[0])) {
  if (!element.checkVisibility() || !element.textContent.trim() || element.disabled) continue;
  const behind = behindText(element);
  const style = getComputedStyle(element);
  const color = element instanceof SVGElement ? style.fill : style.color;
  const front = luminance(over(channels(color), behind));
  const back = luminance(behind);
  const ratio = (Math.max(front, back) + .05) / (Math.min(front, back) + .05);
  if (ratio < 4.5) poor.push(`${element.outerHTML.slice(0, 99)}: ${ratio.toFixed(2)}`);
}
return [...new Set(poor)];
"""

# Private characters that stand for keys.
KEYS = {
    "Enter": "\ue007",
    "Shift": "\ue008",
    "Escape": "\ue00c",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}


class Browser:
    """
    One window.

    Parameters
    ----------
    server
        Address of the driver.
    profile
        An empty folder for what the browser keeps.
    """

    def __init__(self, server: str, profile: Path) -> None:
        options = {
            "binary": next(filter(None, map(shutil.which, CHROMIUMS))),
            "args": [*FLAGS, f"--user-data-dir={profile}", "--window-size=1440,900"],
        }
        wanted = {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        self._server = server
        reply = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._session = f"/session/{reply['sessionId']}"

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self._server + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as reply:
            return json.load(reply)["value"]

    def _do(self, path: str, body: object) -> Any:
        return self._ask("POST", self._session + path, body)

    def open(self, page: Path, fragment: str = "") -> None:
        """Load a page and wait until it has."""
        # Another fragment alone would not load the page again.
        self._do("/url", {"url": "about:blank"})
        self._do("/url", {"url": page.as_uri() + fragment})

    def run(self, script: str, *args: object) -> Any:
        """Run the body of a function in the page; return what it returns."""
        return self._do("/execute/sync", {"script": script, "args": list(args)})

    def wait(self, condition: str) -> None:
        """Wait until an expression holds in the page; ten seconds at most."""
        deadline = time.monotonic() + 10
        while not self.run(f"return Boolean({condition})"):
            assert time.monotonic() < deadline, f"never held: {condition}"

    def text(self, selector: str) -> str:
        """Return the text of the first element that a selector finds."""
        return str(self.run("return document.querySelector(arguments[0]).textContent", selector))

    def texts(self, selector: str) -> list[str]:
        """Return the texts of all elements that a selector finds."""
        script = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)"
        return list(self.run(script, selector))

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, where the focus is."""
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self._do("/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def click(self, selector: str) -> None:
        """Click on the first element that a selector finds."""
        found = self._do("/element", {"using": "css selector", "value": selector})
        self._do(f"/element/{next(iter(found.values()))}/click", {})

    def prefer(self, scheme: str) -> None:
        """Make the system's colors `light` or `dark`."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        params = {"features": features}
        self._do("/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": params})

    def resize(self, width: int, height: int) -> None:
        """Give the page a size, in pixels."""
        params = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        metrics = {"cmd": "Emulation.setDeviceMetricsOverride", "params": params}
        self._do("/goog/cdp/execute", metrics)

    def poor_contrast(self, selector: str) -> list[str]:
        """Return the elements whose text has a contrast below 4.5, with it."""
        return list(self.run(CONTRAST, selector))

    def complaints(self) -> list[str]:
        """Return what the browser's console has got since the last call: errors and warnings."""
        entries = self._do("/se/log", {"type": "browser"})
        return [f"{entry['level']}: {entry['message']}" for entry in entries]

    def requests(self) -> list[str]:
        """Return the addresses that were asked for since the last call."""
        entries = self._do("/se/log", {"type": "performance"})
        messages = [json.loads(entry["message"])["message"] for entry in entries]
        sent = [one for one in messages if one["method"] == "Network.requestWillBeSent"]
        return [str(one["params"]["request"]["url"]) for one in sent]

    def close(self) -> None:
        """End the browser."""
        self._ask("DELETE", self._session)


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """Run a browser, and end it; what it keeps goes into a folder."""
    command = ["chromedriver", "--port=0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as driver:
        try:
            assert driver.stdout is not None
            window = Browser(f"http://127.0.0.1:{_port(driver.stdout)}", folder / "profile")
            try:
                yield window
            finally:
                window.close()
        finally:
            driver.terminate()


def _port(output: IO[str]) -> int:
    for line in output:
        found = re.search(r"started successfully on port (\d+)", line)
        if found:
            return int(found[1])
    raise RuntimeError("chromedriver ended before it listened")
