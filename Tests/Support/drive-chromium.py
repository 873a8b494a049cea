#!/usr/bin/env python3
"""Opens one page in headless Chromium and runs steps in it, over the DevTools protocol.

    drive-chromium.py URL [--wait EXPRESSION | --eval EXPRESSION | --click SELECTOR | --say WORD | --shot FILE
                          | --axe FILE | --call METHOD=JSON | --gesture JSON]...

Steps run in the order given. `--wait` polls a JavaScript expression until it is truthy, `--eval` runs one once
(a promise is awaited), `--click` clicks the first element that matches, as a user would, and `--say` prints a
line, so that the calling test can act between two steps. `--shot` writes a screenshot as a PNG file. `--call`
calls a method of the DevTools protocol, such as `WebAuthn.enable={}`. `--axe` runs the accessibility checks of
axe-core, whose script it names, on the page as it is, and passes if there is no violation. `--gesture` touches the
screen: `{"on": SELECTOR, "from": [0.5, 0.5], "way": [[0, -120]], "fingers": 1, "times": 1, "hold": 0, "pause": 0.08}`
begins at a share of the element's size, goes along the way in pixels, and holds and pauses for seconds. Each step
prints one line of JSON. The exit code is 0 when every step passed; a step that does not pass prints what the page logged. Standard library only.
"""
import argparse
import base64
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

BROWSER_FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--mute-audio",
    "--autoplay-policy=no-user-gesture-required", "--remote-debugging-port=0", "--remote-allow-origins=*",
    "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1280,800",
]
MAXIMUM_FRAME_BYTES = 16 * 1024 * 1024


class Step(argparse.Action):
    """Keeps the steps in the order of the command line, regardless of their kind."""

    def __call__(self, parser, namespace, value, option=None):
        namespace.steps = (getattr(namespace, "steps", None) or []) + [(self.dest, value)]


class WebSocket:
    """The client's half of RFC 6455, as much of it as one DevTools connection needs."""

    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=10)
        # The accessibility checks of a long page take a while on a busy machine.
        self.socket.settimeout(60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.fill()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(f"the browser refused the DevTools connection: {head[:200]!r}")

    def fill(self):
        more = self.socket.recv(65536)
        if not more:
            raise RuntimeError("the browser closed the DevTools connection")
        self.buffer += more

    def take(self, count):
        while len(self.buffer) < count:
            self.fill()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def send(self, text, opcode=1):
        payload, mask = text.encode(), os.urandom(4)
        length = len(payload)
        if length < 126:
            head = bytes([0x80 | opcode, 0x80 | length])
        elif length < 65536:
            head = bytes([0x80 | opcode, 0xFE]) + struct.pack(">H", length)
        else:
            head = bytes([0x80 | opcode, 0xFF]) + struct.pack(">Q", length)
        masked = bytes(byte ^ mask[index & 3] for index, byte in enumerate(payload))
        self.socket.sendall(head + mask + masked)

    def receive(self):
        """The text of one complete message; answers pings in between."""
        message = b""
        while True:
            first, second = self.take(2)
            length = second & 0x7F
            if length == 126:
                length = struct.unpack(">H", self.take(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.take(8))[0]
            if length > MAXIMUM_FRAME_BYTES:
                raise RuntimeError(f"a DevTools frame of {length} bytes")
            payload = self.take(length)
            opcode = first & 0x0F
            if opcode == 8:
                raise RuntimeError("the browser closed the DevTools connection")
            if opcode == 9:
                self.send(payload.decode(errors="replace"), opcode=10)
                continue
            if opcode in (0, 1):
                message += payload
                if first & 0x80:
                    return message.decode()


class Page:
    def __init__(self, url):
        self.connection = WebSocket(url)
        self.next_id = 0
        self.log = []

    def call(self, method, **parameters):
        self.next_id += 1
        self.connection.send(json.dumps({"id": self.next_id, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.connection.receive())
            if message.get("id") == self.next_id:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error'].get('message')}")
                return message["result"]
            self.note(message)

    def note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.consoleAPICalled":
            self.log.append(" ".join(str(part.get("value", "")) for part in parameters["args"]))
        elif method == "Log.entryAdded":
            self.log.append(f"{parameters['entry'].get('text')} {parameters['entry'].get('url', '')}")
        elif method == "Media.playerMessagesLogged":
            self.log += [f"media {entry['level']}: {entry['message']}" for entry in parameters["messages"]]
        elif method == "Media.playerErrorsRaised":
            self.log += [f"media error: {json.dumps(entry)}" for entry in parameters["errors"]]
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.log.append(details.get("exception", {}).get("description", details.get("text")))
        del self.log[:-200]

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True,
                           userGesture=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "it threw"))
        return answer["result"].get("value")

    def click(self, selector):
        spot = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); if (!e) return null;"
            "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        if spot is None:
            raise RuntimeError(f"nothing matches {selector}")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=spot[0], y=spot[1], button="left", clickCount=1)
        return spot

    def gesture(self, on, way=(), fingers=1, times=1, hold=0, pause=0.08, **more):
        """Touches the screen with fingers that go the same way, some pixels beside each other."""
        share = more.get("from", [0.5, 0.5])
        spot = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(on)}); if (!e) return null;"
            "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            f"return [r.x + r.width * {share[0]}, r.y + r.height * {share[1]}]; }})()")
        if spot is None:
            raise RuntimeError(f"nothing matches {on}")

        def touch(kind, x, y):
            points = [] if kind == "touchEnd" else [
                {"x": x + 30 * finger, "y": y, "id": finger} for finger in range(fingers)]
            self.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)

        for time_number in range(times):
            if time_number:
                time.sleep(pause)
            x, y = spot
            touch("touchStart", x, y)
            for step_x, step_y in way:
                for part in range(1, 5):
                    touch("touchMove", x + step_x * part / 4, y + step_y * part / 4)
                x, y = x + step_x, y + step_y
            time.sleep(hold)
            touch("touchEnd", x, y)
        return spot

    def accessibility_violations(self, script):
        """What axe-core finds: a line for each violation, with the elements. Scripts of the debugger ignore the page's CSP."""
        with open(script, encoding="utf-8") as file:
            self.evaluate(file.read() + ";0")
        return self.evaluate(
            "axe.run(document, {resultTypes: ['violations']}).then(result => result.violations.map(violation =>"
            "`${violation.id}: ${violation.help}: ${violation.nodes.map(node => node.html).join(' | ').slice(0, 500)}`))")

    def wait(self, expression, seconds):
        deadline = time.monotonic() + seconds
        while True:
            try:
                value = self.evaluate(expression)
            except RuntimeError as error:
                # The page goes to another one at this moment.
                if "navigated" not in str(error):
                    raise
                value = None
            if value:
                return value
            if time.monotonic() > deadline:
                page = self.evaluate("`${location.href} is ${document.readyState}`")
                raise RuntimeError(f"still {json.dumps(value)} after {seconds:g} s; {page}")
            time.sleep(0.1)


def start_browser(profile, executable):
    process = subprocess.Popen(
        [executable, *BROWSER_FLAGS, f"--user-data-dir={profile}", "about:blank"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    os.set_blocking(process.stderr.fileno(), False)
    port_file, deadline = os.path.join(profile, "DevToolsActivePort"), time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"Chromium ended at once: {(process.stderr.read() or b'').decode()[-2000:]}")
        if os.path.exists(port_file):
            lines = open(port_file).read().split()
            if len(lines) == 2:
                return process, int(lines[0])
        time.sleep(0.05)
    raise RuntimeError("Chromium did not open its DevTools port within 60 s")


def page_socket(port):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    targets = json.load(opener.open(f"http://127.0.0.1:{port}/json/list", timeout=10))
    return next(target["webSocketDebuggerUrl"] for target in targets if target["type"] == "page")


def run(page, url, steps, seconds):
    for domain in ("Page", "Runtime", "Log", "Media"):
        page.call(f"{domain}.enable")
    page.call("Page.navigate", url=url)
    page.wait("document.readyState === 'complete' && location.href !== 'about:blank'", seconds)
    for kind, argument in steps:
        if kind == "wait":
            value = page.wait(argument, seconds)
        elif kind == "eval":
            value = page.evaluate(argument)
        elif kind == "click":
            value = page.click(argument)
        elif kind == "shot":
            image = page.call("Page.captureScreenshot", format="png")["data"]
            with open(argument, "wb") as file:
                file.write(base64.b64decode(image))
            value = len(image)
        elif kind == "axe":
            value = page.accessibility_violations(argument)
            if value:
                raise RuntimeError(f"{page.evaluate('location.href')}: {json.dumps(value, indent=1)}")
        elif kind == "call":
            method, parameters = argument.split("=", 1)
            value = page.call(method, **json.loads(parameters))
        elif kind == "gesture":
            value = page.gesture(**json.loads(argument))
        else:
            value = argument
        print(json.dumps({"step": kind, "argument": argument, "value": value}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    for kind in ("wait", "eval", "click", "say", "shot", "axe", "call", "gesture"):
        parser.add_argument(f"--{kind}", action=Step)
    parser.add_argument("--seconds", type=float, default=20, help="the limit of each --wait")
    parser.add_argument("--flag", action="append", default=[], help="one more flag for Chromium")
    parser.add_argument("--show-log", action="store_true", help="print what the page and its players logged")
    arguments = parser.parse_args()
    BROWSER_FLAGS.extend(arguments.flag)
    executable = shutil.which("chromium")
    if executable is None:
        sys.exit("Chromium is not installed: apt-get install chromium")
    # When the test is terminated, the browser is terminated with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    profile, process, page, failure = tempfile.mkdtemp(prefix="antena-chromium-"), None, None, None
    try:
        process, port = start_browser(profile, executable)
        page = Page(page_socket(port))
        run(page, arguments.url, getattr(arguments, "steps", None) or [], arguments.seconds)
    except (RuntimeError, OSError, StopIteration) as error:
        failure = str(error) or repr(error)
    finally:
        if process is not None:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        shutil.rmtree(profile, ignore_errors=True)
    log = page.log if page is not None and (failure or arguments.show_log) else []
    if failure or log:
        print(json.dumps({"failure": failure, "log": log[-60:]}), flush=True)
    sys.exit(1 if failure else 0)


if __name__ == "__main__":
    main()
