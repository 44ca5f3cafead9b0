"""A real browser for tests: Chromium, driven by its own protocol over a pair of pipes."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CHROMIUM = next(
    (
        found
        for name in ("chromium", "chromium-browser", "google-chrome")
        if (found := shutil.which(name))
    ),
    None,
)

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
    # Windows share one renderer: our pages need no protection from each other, and each process
    # costs as much as drawing a page.
    "--renderer-process-limit=1",
    "--disable-site-isolation-trials",
    "--disable-features=SpareRendererForSitePerProcess,IsolateOrigins,site-per-process",
)
# The browser reads from descriptor 3 and writes to 4, whatever the pipes are called here.
_LAUNCH = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
_KEYS = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "End": 35, "Home": 36, "Tab": 9}


class Browser:
    """Chromium in a process of its own; messages are JSON that ends in a NUL byte."""

    def __init__(self, profile: Path) -> None:
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        ends = [fcntl.fcntl(one, fcntl.F_DUPFD, 20) for one in (theirs_in, theirs_out)]
        command = [str(CHROMIUM), *_FLAGS, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _LAUNCH, *map(str, ends), *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=ends,
        )
        for one in (theirs_in, theirs_out, *ends):
            os.close(one)
        self._buffer = b""
        self._number = 0
        self.events: list[dict[str, Any]] = []

    def send(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Ask for something and wait for the answer; events in between are kept."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + 60
        while True:
            answer = self._read(deadline)
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def _read(self, deadline: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(0, deadline - time.monotonic()))
            assert ready, "the browser does not answer"
            data = os.read(self._in, 1 << 20)
            assert data, "the browser has ended"
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message

    def page(self, width: int = 1280, height: int = 900) -> Page:
        """A new window."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.send(f"{domain}.enable")
        page.resize(width, height)
        return page

    def close(self) -> None:
        """End the browser."""
        with contextlib.suppress(OSError, AssertionError):
            self.send("Browser.close")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        self._process.kill()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)


class Page:
    """A window of the browser."""

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self._browser = browser
        self._session = session
        self._target = target
        self._blank = True

    def close(self) -> None:
        self._browser.send("Target.closeTarget", targetId=self._target)

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self._browser.send(method, self._session, **parameters)

    def resize(self, width: int, height: int) -> None:
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def prefer(self, scheme: str) -> None:
        """Behave as for a reader who prefers `dark` or `light`."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.send("Emulation.setEmulatedMedia", features=features)

    def open(self, path: Path, fragment: str = "") -> None:
        """Load a report, and wait until its script has drawn it."""
        if not self._blank:  # or the page that is left might be taken for the one to come
            self.send("Page.navigate", url="about:blank")
        self._blank = False
        self.send("Page.navigate", url=path.as_uri() + (f"#{fragment}" if fragment else ""))
        self.until("location.protocol === 'file:' && document.documentElement?.dataset.ready")

    def run(self, expression: str) -> Any:
        """The value of a JavaScript expression; promises are waited for."""
        answer = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def until(self, expression: str, seconds: float = 30) -> Any:
        """Wait until an expression holds."""
        deadline = time.monotonic() + seconds
        while not (value := self.run(expression)):
            assert time.monotonic() < deadline, f"never true: {expression}"
            time.sleep(0.02)
        return value

    def text(self, selector: str) -> str:
        """What a reader sees of an element, once it is there."""
        self.until(f"document.querySelector({json.dumps(selector)}) !== null")
        found: str = self.run(f"document.querySelector({json.dumps(selector)}).innerText")
        return found

    def texts(self, selector: str) -> list[str]:
        """What a reader sees of several elements."""
        every = f"[...document.querySelectorAll({json.dumps(selector)})]"
        found: list[str] = self.run(f"{every}.map((node) => node.innerText)")
        return found

    def click(self, selector: str) -> None:
        """Press the mouse in the middle of an element."""
        found = f"document.querySelector({json.dumps(selector)})"
        x, y = self.run(
            f"(() => {{ const node = {found}; node.scrollIntoView({{block: 'center'}}); "
            "const box = node.getBoundingClientRect(); "
            "return [box.left + box.width / 2, box.top + box.height / 2]; })()"
        )
        self.click_at(x, y)

    def click_at(self, x: float, y: float) -> None:
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            more: dict[str, Any] = {"windowsVirtualKeyCode": _KEYS[key]} if key in _KEYS else {}
            written = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
            self.send("Input.dispatchKeyEvent", type="keyDown", key=key, **written, **more)
            self.send("Input.dispatchKeyEvent", type="keyUp", key=key, **more)
        self.settle()

    def write(self, selector: str, text: str) -> None:
        """Put a text into a field, as typing does."""
        self._fill(selector, text)
        self.until("document.querySelector('#found').innerText.indexOf('searched') < 0")

    def choose(self, selector: str, value: str) -> None:
        """Choose an option, or move a slider."""
        self._fill(selector, value)

    def _fill(self, selector: str, value: str) -> None:
        field = f"document.querySelector({json.dumps(selector)})"
        event = "new Event('input', {bubbles: true})"
        self.run(
            f"{field}.value = {json.dumps(value)}, {field}.dispatchEvent({event}), "
            f"{field}.dispatchEvent(new Event('change', {{bubbles: true}}))"
        )
        self.settle()

    def settle(self) -> None:
        """Wait until what was asked for is drawn."""
        self.run("new Promise((done) => setTimeout(() => requestAnimationFrame(done), 200))")

    def complaints(self) -> list[str]:
        """What the browser has to say against the page: errors, and requests it made."""
        told = []
        for event in self._browser.events:
            method, content = event.get("method"), event.get("params", {})
            if event.get("sessionId") != self._session:
                continue
            if method == "Runtime.exceptionThrown":
                told.append(str(content["exceptionDetails"]))
            elif method == "Log.entryAdded" or (
                method == "Runtime.consoleAPICalled" and content["type"] in ("error", "warning")
            ):
                told.append(str(content))
            elif method == "Network.requestWillBeSent":
                url: str = content["request"]["url"]
                if not url.startswith(("file:", "data:", "about:")):
                    told.append(url)
        return told

    def picture(self, path: Path) -> None:
        """A picture of what is in view."""
        data = self.send("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))

    def pdf(self, path: Path) -> None:
        """The page as it prints."""
        data = self.send("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"]
        path.write_bytes(base64.b64decode(data))


@contextlib.contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """A browser that ends with the block."""
    started = Browser(profile)
    try:
        yield started
    finally:
        started.close()
