"""A TCP proxy that cuts connections: cutting-proxy.py PORT CUTS INTERVAL COUNTS.

It prints its own port, passes everything on to PORT of this machine, and closes the connection that carries each
INTERVAL-th byte of copies to the client, CUTS times in all. The file COUNTS has the number of cuts and the bytes of copies
that clients were sent.
"""

import re
import socket
import sys
import threading

target, cuts, interval, counts = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
lock = threading.Lock()
state = {"cuts": 0, "bytes": 0}


def note(count):
    """Counts bytes of a copy, and says whether this connection has to be cut."""
    with lock:
        state["bytes"] += count
        cut = state["cuts"] < cuts and state["bytes"] >= (state["cuts"] + 1) * interval
        if cut:
            state["cuts"] += 1
        with open(counts + ".new", "w") as file:
            file.write(f"{state['cuts']} {state['bytes']}")
        import os

        os.replace(counts + ".new", counts)
        return cut


def upstream(client, server):
    try:
        while data := client.recv(65536):
            server.sendall(data)
        server.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def serve(client):
    try:
        server = socket.create_connection(("127.0.0.1", target))
    except OSError:
        client.close()
        return
    threading.Thread(target=upstream, args=(client, server), daemon=True).start()
    # Bodies of copies are what follows a header with their media type.
    buffer, remaining, is_copy = b"", 0, False
    try:
        while data := server.recv(65536):
            out, rest = b"", data
            while rest:
                if remaining > 0:
                    part, rest = rest[:remaining], rest[remaining:]
                    remaining -= len(part)
                    out += part
                    if is_copy and note(len(part)):
                        client.sendall(out)
                        client.shutdown(socket.SHUT_RDWR)
                        raise OSError
                    continue
                buffer += rest
                rest = b""
                end = buffer.find(b"\r\n\r\n")
                if end < 0:
                    break
                header, rest = buffer[: end + 4], buffer[end + 4 :]
                buffer = b""
                out += header
                length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", header)
                remaining = int(length.group(1)) if length else 0
                is_copy = b"octet-stream" in header
            client.sendall(out)
    except OSError:
        pass
    client.close()
    server.close()


listener = socket.create_server(("127.0.0.1", 0), backlog=64)
print(listener.getsockname()[1], flush=True)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
