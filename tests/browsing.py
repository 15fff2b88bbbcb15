"""A browser without a window, for tests of pages; conftest.py gives it to them as `browser`."""

import itertools
import json
import shutil
import subprocess
import time
import urllib.request

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PHONE, DESK = 390, 1280
"""Widths of a window, in pixels."""


class Browser:
    """Chromium without a window, driven by its DevTools protocol.

    Attributes
    ----------
    events : list of dict
        What it reported since the last visit.
    """

    def __init__(self, profile):
        options = (
            "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync"
            " --disable-background-networking --disable-component-update --remote-debugging-port=0"
        )
        websocket = pytest.importorskip("websocket", reason="it comes with Jupyter")
        call = [CHROMIUM, *options.split(), f"--user-data-dir={profile}", "about:blank"]
        port = profile / "DevToolsActivePort"
        for _ in range(3):  # it may end before it listens
            self.process = subprocess.Popen(
                call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            self.wait(lambda: self.process.poll() is not None or self.written(port))
            if self.written(port):
                break
        address = f"http://127.0.0.1:{port.read_text().split()[0]}/json"
        self.wait(lambda: self.pages(address))
        self.socket = websocket.create_connection(self.pages(address)[0], suppress_origin=True)
        self.socket.settimeout(300)
        self.number, self.events = itertools.count(), []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    @staticmethod
    def written(file):
        """Whether a file is there with something in it."""
        return file.is_file() and bool(file.read_text())

    @staticmethod
    def wait(ready):
        """Wait until something holds, as long as the browser does not hang."""
        end = time.monotonic() + 300
        while not ready():
            assert time.monotonic() < end, "the browser does not answer"
            time.sleep(0.05)

    @staticmethod
    def pages(address):
        """List where the pages of the browser can be talked to."""
        with urllib.request.urlopen(address, timeout=60) as answer:
            found = json.load(answer)
        return [page["webSocketDebuggerUrl"] for page in found if page["type"] == "page"]

    def send(self, method, **parameters):
        """Call a method of the protocol; return its result."""
        number = next(self.number)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (message := json.loads(self.socket.recv())).get("id") != number:
            self.events.append(message)
        return message["result"]

    def evaluate(self, expression):
        """Return the value of an expression in the page."""
        found = self.send(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        return found["result"].get("value")

    def show(self, width, scheme="light"):
        """Set the width of the window, in pixels, and the colour scheme that the reader prefers."""
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        self.send("Emulation.setDeviceMetricsOverride", **size)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.send("Emulation.setEmulatedMedia", features=features)

    def visit(self, url):
        """Load a page with all its images."""
        self.events.clear()
        self.send("Page.navigate", url=url)
        while all(event["method"] != "Page.loadEventFired" for event in self.events):
            self.events.append(json.loads(self.socket.recv()))

    def requests(self):
        """List the addresses requested since the last visit."""
        sent = [e for e in self.events if e["method"] == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in sent]

    def errors(self):
        """List the errors of scripts and of the network since the last visit."""
        found = []
        for event in self.events:
            parameters = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(parameters["exceptionDetails"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled" and parameters["type"] == "error":
                found.append(str(parameters["args"]))
            elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                found.append(parameters["entry"]["text"])
            elif event["method"] == "Network.loadingFailed" and not parameters.get("canceled"):
                found.append(parameters["errorText"])
        return found
