#!/usr/bin/env python3
"""Plays a worker that was compromised by a malicious file: it speaks the protocol of `antena ingest-worker`, and lies.

Usage: hostile-worker.py ATTACK [TARGET]

It reads one request from standard input, as the real worker does, attacks the output file of the request as ATTACK
says, and reports success. TARGET is a file outside of the worker's folder. The script is not confined, so the server
must resist its answers without that help. `swift test --filter HostileWorkerTests` runs all attacks.
"""

import json
import os
import sys
import time

attack = sys.argv[1]
target = sys.argv[2] if len(sys.argv) > 2 else ""
request = json.loads(sys.stdin.readline())
task, arguments = next(iter(request["task"].items()))
output = arguments["output"] + (".jpg" if task == "cover" else "")


def say(event):
    sys.stdout.write((event if isinstance(event, str) else json.dumps(event)) + "\n")
    sys.stdout.flush()


def done(**more):
    return {"done": {"_0": {"copiedStreams": 1, "transcodedStreams": 1, **more}}}


def write(path, size=4):
    with open(path, "wb") as file:
        file.truncate(size)


if attack == "foreign-path":
    say(done(outputs=[target], cover=None, path=target))
elif attack == "foreign-ending":
    say(done(cover="/../../" + target))
elif attack == "symbolic-link":
    os.symlink(target, output)
    say(done(cover="jpg"))
elif attack == "hard-link":
    os.link(target, output)
    say(done(cover="jpg"))
elif attack == "pipe":
    os.mkfifo(output)
    say(done(cover="jpg"))
elif attack == "folder":
    os.mkdir(output)
    say(done(cover="jpg"))
elif attack == "too-large":
    write(output, request["limits"]["fileByteCount"] + 1)
    say(done(cover="jpg"))
elif attack == "nothing":
    say(done(cover="jpg"))
elif attack == "set-user-id":
    write(output)
    os.chmod(output, 0o6777)
    say(done(cover="jpg"))
elif attack == "link-in-the-folder":
    write(output)
    os.symlink(os.path.dirname(target), os.path.dirname(output) + "/elsewhere")
    say(done(cover="jpg"))
elif attack == "folder-is-a-link":
    folder = os.path.dirname(output)
    os.rmdir(folder)
    os.symlink(os.path.dirname(target), folder)
    say(done(cover="jpg"))
elif attack == "numbers":
    write(output)
    say({"progress": {"fraction": -1e308}})
    say({"progress": {"fraction": 1e308}})
    stream = {"index": -(1 << 63), "type": "video\n" * 30, "codec": "\u202e" * 30, "width": (1 << 63) - 1,
              "height": -1, "frameRate": 1e-300, "sampleRate": -(1 << 63), "channels": 0,
              "shownSize": {"width": (1 << 63) - 1, "height": 1 << 62}, "language": "\x1b[2J"}
    say(done(cover="jpg", firstTime=-(1 << 63), note="a\nb" * 10000, leftOut=["x\n"] * 10000, description={
        "container": "c" * 100000, "duration": -1e308, "streams": [stream] * 400, "hasCoverImage": True,
        "tags": {"k%d" % n: "v\r\n" * 50 for n in range(1000)}}))
elif attack == "infinite":
    say('{"progress":{"fraction":1e999}}')
    write(output)
    say(done(cover="jpg"))
elif attack == "overflow":
    say('{"done":{"_0":{"copiedStreams":%d,"transcodedStreams":0}}}' % (1 << 80))
elif attack == "nested":
    say("[" * 100000)
elif attack == "talk":
    while True:
        say({"progress": {"fraction": 0.5}})
elif attack == "endless-line":
    while True:
        sys.stdout.write("a" * 65536)
elif attack == "stays":
    write(output)
    say(done(cover="jpg"))
    for descriptor in (0, 1, 2):
        os.close(descriptor)
    time.sleep(3600)
elif attack == "reason":
    say({"failed": {"reason": "a.mp3: \x1b[2J\nroot: all is well\n" + "z" * 100000}})
else:
    sys.exit("unknown attack " + attack)
