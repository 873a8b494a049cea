#!/usr/bin/env python3
"""Runs schemathesis for a long time against servers of its own, as each role; Tests/EndToEndTests/Server/SchemaTests.swift runs it
for as long as tests may take.

    python3 Tests/Support/schemathesis/long-run.py [--binary .build/release/antena] [--seconds 1800] [--seed 1]
        [--roles operator,administrator,member,stranger]

The roles run at the same time. Needs ffmpeg and what `make setup-test` installs. Ends with 1 if a run has findings, which
stand in the folder that is named.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request

SUPPORT = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(SUPPORT)))
PROGRAM = os.path.join(ROOT, ".build/schemathesis/bin/schemathesis")


class Server:
    def __init__(self, binary, folder, film):
        self.binary, self.data = binary, os.path.join(folder, "data")
        media = os.path.join(folder, "media")
        os.makedirs(os.path.join(media, "vod"))
        os.makedirs(os.path.join(media, "audio"))
        os.link(film, os.path.join(media, "vod", "film.mp4"))
        with open(os.path.join(ROOT, "channels.json"), encoding="utf-8") as file:
            channels = json.load(file)
        # The limit of requests for each member would hide everything else.
        channels.setdefault("accounts", {})["apiRequests"] = 100_000
        with open(os.path.join(folder, "channels.json"), "w", encoding="utf-8") as file:
            json.dump(channels, file)
        self.log = open(os.path.join(folder, "server.log"), "w", encoding="utf-8")
        self.process = subprocess.Popen(
            [binary, "serve", "--http", "127.0.0.1:0", "--rtsp", "127.0.0.1:0", "--print-ports", "--data", self.data,
             "--media", media, "--channels", file.name], stdout=subprocess.PIPE, stderr=self.log)
        self.origin = f"http://127.0.0.1:{json.loads(self.process.stdout.readline())['http']}"
        try:
            self.wait_for_film()
        except BaseException:
            self.end()
            raise

    def end(self):
        self.process.terminate()
        self.process.wait()

    def wait_for_film(self):
        for _ in range(600):
            with urllib.request.urlopen(f"{self.origin}/api/v1/titles") as answer:
                if any(title["state"] == "ready" for title in json.load(answer)["items"]):
                    return
            time.sleep(0.1)
        raise SystemExit("the film is not ready after a minute")

    def command(self, *arguments, text=""):
        return subprocess.run(
            [self.binary, *arguments, "--server", self.origin], env={**os.environ, "ANTENA_DATA": self.data}, input=text,
            stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

    def authorization(self, role):
        """The options with which somebody sends requests."""
        if role == "stranger":
            return []
        if role == "operator":
            with open(os.path.join(self.data, "operator-token"), encoding="utf-8") as file:
                return ["-H", f"Authorization: Bearer {file.read().strip()}"]
        self.command("user", "add", "ana", "--role", role, text="correct horse battery\n")
        return ["-H", f"Authorization: Bearer {self.command('token', 'create', 'ana', 'schemathesis')}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(ROOT, ".build/release/antena"))
    parser.add_argument("--seconds", type=int, default=1_800)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--roles", default="operator,administrator,member,stranger")
    options = parser.parse_args()
    folder, servers, runs, failed = tempfile.mkdtemp(prefix="antena-schema-"), [], [], False
    film = os.path.join(folder, "film.mp4")
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=d=4:s=320x180:r=25", "-f", "lavfi", "-i", "sine=d=4",
         "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", film], check=True)
    try:
        for role in options.roles.split(","):
            own = os.path.join(folder, role)
            os.mkdir(own)
            server = Server(os.path.abspath(options.binary), own, film)
            servers.append(server)
            report = open(os.path.join(own, "schemathesis.log"), "w", encoding="utf-8")
            run = subprocess.Popen(
                [PROGRAM, "--config-file", os.path.join(SUPPORT, "schemathesis.toml"), "run",
                 f"{server.origin}/api/v1/openapi.json", "--url", server.origin, "--phases",
                 "examples,coverage,fuzzing,stateful", "--max-time", str(options.seconds), "--max-examples", "100000",
                 "--seed", str(options.seed), "--request-timeout", "20", "--suppress-health-check", "all",
                 "--continue-on-failure", "--no-color", "--warnings", "off", *server.authorization(role)],
                env={**os.environ, "PYTHONPATH": SUPPORT, "SCHEMATHESIS_HOOKS": "hooks", "HOME": own}, cwd=own,
                stdout=report, stderr=subprocess.STDOUT)
            runs.append((role, server, run, time.monotonic()))
        print(f"{len(runs)} runs of {options.seconds} s; logs in {folder}", flush=True)
        for role, server, run, start in runs:
            status = run.wait()
            is_running = server.process.poll() is None
            failed = failed or status != 0 or not is_running
            print(f"{role}: status {status} after {time.monotonic() - start:.0f} s, server "
                  f"{'runs' if is_running else 'has ended'}", flush=True)
    finally:
        for _, _, run, _ in runs:
            run.kill()
        for server in servers:
            server.end()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
