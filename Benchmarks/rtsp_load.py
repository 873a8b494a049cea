#!/usr/bin/env python3
"""The load of the RTSP benchmarks, as a process of its own.

Its one argument is a JSON object: `work`, which is `publish` or `read`, and what that takes. Once all have begun it
prints a line of JSON; so it does for each line that it is sent, with what has happened since the line before. It ends
with its standard input.
"""
import json
import sys

from recording import Recording
from rtsp_publishers import publish
from rtsp_readers import read


def main():
    specification = json.loads(sys.argv[1])
    work = specification.pop("work")
    if work == "publish":
        publish(Recording.load(specification.pop("recording")), **specification)
    else:
        read(**specification)


if __name__ == "__main__":
    main()
