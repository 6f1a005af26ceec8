"""A headless Chromium that tests look at pages with: how wide they are, what they load, what a screen reader hears."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


class Browser:
    """One tab, driven by Chromium's DevTools protocol over a pair of pipes."""

    def __init__(self, requests: int, answers: int) -> None:
        self._to = os.fdopen(requests, "wb", buffering=0)
        self._from = os.fdopen(answers, "rb")
        self._number = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log", "Accessibility"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> Any:
        """Send a command and wait for its answer; events that come meanwhile are kept."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        self._to.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def open(
        self, path: Path, *, width: int, height: int = 900, scripts: bool = True, media: Mapping[str, str] = {}
    ) -> None:
        """Load a file in a window of this size, and wait until it is there.

        Args:
            scripts: whether the page may run scripts.
            media: features such as ``prefers-color-scheme``.
        """
        phone = width < 600
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        features = [{"name": name, "value": value} for name, value in media.items()]
        self.call("Emulation.setEmulatedMedia", media="", features=features)
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.events.clear()
        self.call("Page.navigate", url=path.as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())

    def value(self, expression: str) -> Any:
        """What a JavaScript expression is on the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def requests(self) -> list[str]:
        """The addresses that the page has asked for since it was opened, its own left out."""
        sent = [event["params"] for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        return [event["request"]["url"] for event in sent if event["type"] != "Document"]

    def complaints(self) -> list[str]:
        """What the browser had to say about the page since it was opened: errors of scripts, forbidden loads."""
        logs = [event["params"]["entry"]["text"] for event in self.events if event.get("method") == "Log.entryAdded"]
        thrown = [event for event in self.events if event.get("method") == "Runtime.exceptionThrown"]
        return [*logs, *(event["params"]["exceptionDetails"]["text"] for event in thrown)]

    def heard(self) -> list[tuple[str, str]]:
        """What a screen reader gets: role and name of everything, in order."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in nodes
            if not node.get("ignored") and "role" in node
        ]

    def screenshot(self, path: Path) -> None:
        """The whole page as a PNG."""
        picture = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(picture["data"]))

    def pdf(self) -> bytes:
        """The page as it is printed."""
        return base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])

    def close(self) -> None:
        """End the browser."""
        self._session = None
        self.call("Browser.close")
        self._to.close()
        self._from.close()

    def _next(self) -> Any:
        data = bytearray()
        while (sign := self._from.read(1)) != b"\0":
            assert sign, "the browser has ended"
            data += sign
        return json.loads(data)


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A browser that keeps its files in a folder and reaches no network by itself."""
    assert CHROMIUM is not None, "there is no chromium; install it, or run without -m browser"
    their_end, requests = os.pipe()
    answers, their_other_end = os.pipe()
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
    flags += ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"]
    # Chromium reads commands from descriptor 3 and answers on 4.
    command = f'exec "$0" "$@" 3<&{their_end} 4>&{their_other_end}'
    arguments = [CHROMIUM, *flags, f"--user-data-dir={folder}", "--remote-debugging-pipe", "about:blank"]
    process = subprocess.Popen(
        ["bash", "-c", command, *arguments], pass_fds=(their_end, their_other_end), stderr=subprocess.DEVNULL
    )
    os.close(their_end)
    os.close(their_other_end)
    try:
        tab = Browser(requests, answers)
        yield tab
        tab.close()
        process.wait(timeout=30)
    finally:
        process.kill()
        process.wait()
