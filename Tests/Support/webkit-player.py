#!/usr/bin/env python3
"""Plays pages of the site in WebKitGTK, by WebDriver, on a screen of its own.

    webkit-player.py ORIGIN PATH...

On each page the player plays without sound until a second and a half were shown, then goes on from another place if it can
seek. Each page prints one line of JSON; the exit code is 0 if all played and frames were decoded. Needs Debian's
`webkit2gtk-driver`, whose library brings the browser, and `xvfb`. Standard library only.
"""
import glob
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from beside import module

SECONDS = 90
STEPS = module("player-steps")


def free_port():
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


class Browser:
    """A session of WebDriver (https://www.w3.org/TR/webdriver2/)."""

    def __init__(self, port):
        self.address = f"http://127.0.0.1:{port}/session"
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        browsers = glob.glob("/usr/lib/*/webkit2gtk-*/MiniBrowser")
        if not browsers:
            sys.exit("WebKitGTK is not installed: apt-get install webkit2gtk-driver")
        options = {"binary": sorted(browsers)[-1], "args": ["--automation"]}
        found = self.call("", {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}})
        self.address += "/" + found["sessionId"]

    def call(self, path, body):
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        try:
            with self.opener.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()[:500]) from error

    def navigate(self, address):
        self.call("/url", {"url": address})

    def run(self, script):
        return self.call("/execute/sync", {"script": script, "args": []})


def connects(port):
    with socket.socket() as place:
        return place.connect_ex(("127.0.0.1", port)) == 0


def main():
    origin, *paths = sys.argv[1:]
    # When the test is terminated, the browser is terminated with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    processes = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            reading, writing = os.pipe()
            processes.append(subprocess.Popen(
                ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
                pass_fds=[writing], stderr=subprocess.DEVNULL, start_new_session=True))
            os.close(writing)
            display = os.read(reading, 16).decode().strip()
            port = free_port()
            environment = dict(
                os.environ, DISPLAY=f":{display}", HOME=folder, XDG_RUNTIME_DIR=folder, XDG_CACHE_HOME=folder,
                XDG_DATA_HOME=folder, LIBGL_ALWAYS_SOFTWARE="1", GDK_BACKEND="x11", NO_AT_BRIDGE="1",
                WEBKIT_DISABLE_COMPOSITING_MODE="1")
            processes.append(subprocess.Popen(
                ["WebKitWebDriver", f"--port={port}"], env=environment, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, start_new_session=True))
            end = time.monotonic() + SECONDS
            while not connects(port):
                if time.monotonic() > end:
                    raise RuntimeError("WebKitWebDriver does not answer")
                time.sleep(0.05)
            browser = Browser(port)
            for path in paths:
                browser.navigate(origin + path)
                print(json.dumps({"path": path, **STEPS.play(browser.run, SECONDS)}), flush=True)
        except RuntimeError as error:
            sys.exit(str(error))
        finally:
            for process in reversed(processes):
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.wait()


if __name__ == "__main__":
    main()
