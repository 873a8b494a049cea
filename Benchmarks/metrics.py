#!/usr/bin/env python3
"""What a scrape of the metrics costs: 1,000 configured channels, scrapes one after the other.

Usage: metrics.py [--binary .build/release/antena] [--channels 1000] [--scrapes 200] [--promtool PATH]
"""
import argparse
import json
import os
import subprocess
import tempfile
import time

from harness import ROOT, Antena, Connection, Programs, operator_token, say


def channels_file(folder, count):
    """The channels of the repository's own file, as many times as are needed."""
    with open(os.path.join(ROOT, "channels.json"), encoding="utf-8") as file:
        document = json.load(file)
    pattern = document["channels"][0]
    document["channels"] = [dict(pattern, name=f"canal{number}", title=f"Canal {number}") for number in range(count)]
    path = os.path.join(folder, "channels.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    return path


class Scraper(Connection):
    """Asks with the operator's token."""

    def scrape(self):
        self.socket.sendall(
            f"GET /metrics HTTP/1.1\r\nHost: {self.host}\r\nAuthorization: Bearer {self.token}\r\n\r\n".encode())
        answer = b""
        while (end := answer.find(b"\r\n\r\n")) < 0:
            answer += self.receive()
        head = answer[:end].decode().lower()
        if " 200 " not in head:
            raise SystemExit(head)
        length = int(head.split("content-length: ")[1].split("\r\n")[0])
        while len(answer) < end + 4 + length:
            answer += self.receive()
        return answer[end + 4:]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=os.path.join(ROOT, ".build/release/antena"))
    parser.add_argument("--channels", type=int, default=1000)
    parser.add_argument("--scrapes", type=int, default=200)
    parser.add_argument("--promtool", help="checks the text of one scrape with `promtool check metrics`")
    options = parser.parse_args()
    programs = Programs()
    with tempfile.TemporaryDirectory() as folder:
        try:
            server = Antena(programs, options.binary, folder, "metrics", channels_file(folder, options.channels))
            token = operator_token(os.path.join(folder, "metrics", "data"))
            scraper = Scraper(server.origin, token)
            text = scraper.scrape()
            if options.promtool:
                check = subprocess.run([options.promtool, "check", "metrics"], input=text, capture_output=True)
                say(f"promtool: status {check.returncode} {(check.stdout + check.stderr).decode() or '(silent)'}")
            times = []
            for _ in range(options.scrapes):
                start = time.perf_counter()
                text = scraper.scrape()
                times.append((time.perf_counter() - start) * 1000)
            times.sort()
            print(f"{options.channels} channels, {len(text.splitlines())} lines, {len(text) / 1024:.0f} KiB")
            print(f"scrape: median {times[len(times) // 2]:.1f} ms, 99th percentile {times[len(times) * 99 // 100]:.1f} ms, "
                  f"longest {times[-1]:.1f} ms")
        finally:
            programs.end_all()


if __name__ == "__main__":
    main()
