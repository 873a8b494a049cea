"""An RTSP client, as far as the load generator needs one."""
import json
import re
import socket


class Connection:
    """An RTSP client: one request after the other, then only packets."""

    def __init__(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.url = f"rtsp://127.0.0.1:{port}{path}"
        self.count, self.session, self.received = 0, None, b""

    def ask(self, method, url=None, fields=(), body=""):
        """Head and body of the answer, which must be 200."""
        self.count += 1
        lines = [f"{method} {url or self.url} RTSP/1.0", f"CSeq: {self.count}", "User-Agent: antena-bench", *fields]
        lines += [f"Session: {self.session}"] if self.session else []
        lines += [f"Content-Length: {len(body)}"] if body else []
        self.socket.sendall("\r\n".join([*lines, "", body]).encode())
        while (end := self.received.find(b"\r\n\r\n")) < 0:
            self.receive()
        head = self.received[:end].decode()
        if not head.startswith("RTSP/1.0 200"):
            raise SystemExit(f"{method} {self.url}: {head}")
        length = re.search(r"(?i)\r\ncontent-length: *(\d+)", head)
        length = int(length.group(1)) if length else 0
        while len(self.received) < end + 4 + length:
            self.receive()
        body = self.received[end + 4:end + 4 + length].decode()
        # Behind the answer to PLAY there may be packets already.
        self.received = self.received[end + 4 + length:]
        if session := re.search(r"(?i)\r\nsession: *([^;\s]+)", head):
            self.session = session.group(1)
        return head, body

    def receive(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise SystemExit(f"the server closed {self.url}")
        self.received += data

    def set_up(self, track_url, transport):
        head, _ = self.ask("SETUP", track_url, [f"Transport: {transport}"])
        return re.search(r"(?i)\r\ntransport: *(.*)", head).group(1)


def controls(sdp):
    return re.findall(r"a=control:(\S+)", sdp)


def tell(report):
    """A line of JSON to the program that has started this process."""
    print(json.dumps(report), flush=True)
