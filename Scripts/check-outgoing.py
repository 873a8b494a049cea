#!/usr/bin/env python3
"""Checks that the server sends requests through `BoundedExchange` and reads large answers through `PacedBody` only
(Sources/OutgoingHTTP): the time limits of AsyncHTTPClient end with the head of an answer, so that one who uses it
directly waits for days for a server that sends a byte now and then.

Found are `execute(` and the reading of a `body` in a file that imports AsyncHTTPClient. Programs on the machine of the
person who waits (Broadcaster, APIClient, OfflineDownloads) are left out. `--self-test` shows that each is found.
"""
import os
import re
import sys

# Targets whose requests are those of a person who sees that it takes long, and can end the program.
CLIENTS = {"APIClient", "Broadcaster", "OfflineDownloads", "OutgoingHTTP"}
# Requests whose answers are files: the head has a limit of its own, and the body goes through `PacedBody`.
ALLOWED = {("MediaStorage", "ObjectStore.swift", "execute"), ("HTTPClients", "HTTPMediaFetcher.swift", "execute")}
RAW = {
    "execute": re.compile(r"\.execute\(\s*(?![^)]*SELECT)"),
    "collect": re.compile(r"\bresponse\.body\.collect\("),
    "iterate": re.compile(r"\bin response\.body\b"),
    "pass on": re.compile(r":\s*response\.body\b"),
}


def problems_in(text, target, name):
    if not re.search(r"^\s*(?:\w+\s+)?import AsyncHTTPClient\b", text, re.MULTILINE) and "HTTPClientResponse" not in text:
        # Extensions of a type whose other files import it.
        if not re.search(r"\bresponse\.body\b", text) or target not in {"MediaStorage"}:
            return
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("//"):
            continue
        for kind, pattern in RAW.items():
            if pattern.search(line) and (target, name, kind) not in ALLOWED:
                yield number, kind


def check(root):
    found = []
    for target in sorted(os.listdir(os.path.join(root, "Sources"))):
        if target in CLIENTS:
            continue
        for directory, _, files in os.walk(os.path.join(root, "Sources", target)):
            for name in sorted(files):
                if not name.endswith(".swift"):
                    continue
                path = os.path.join(directory, name)
                with open(path, encoding="utf-8") as source:
                    for number, kind in problems_in(source.read(), target, name):
                        found.append(f"{os.path.relpath(path, root)}:{number}: raw use of AsyncHTTPClient ({kind}); "
                                     "use BoundedExchange or PacedBody")
    return found


def self_test():
    header = "import AsyncHTTPClient\n"
    for line in ("let r = try await client.execute(request, timeout: t)", "_ = try await response.body.collect(upTo: 5)",
                 "for try await piece in response.body {", "RemoteResponse(bytes: response.body)"):
        assert list(problems_in(header + line, "Gateway", "A.swift")), line
    for line in ("// client.execute(request)", "exchange.answer(to: request, by: client)", "PacedBody(response)"):
        assert not list(problems_in(header + line, "Gateway", "A.swift")), line
    assert not list(problems_in("try db.execute(query)", "Gateway", "A.swift"))


if __name__ == "__main__":
    if "--self-test" in sys.argv:
        self_test()
        sys.exit(0)
    problems = check(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    print("\n".join(problems), end="\n" if problems else "")
    sys.exit(1 if problems else 0)
