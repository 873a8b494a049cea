#!/usr/bin/env python3
"""The load of the benchmarks of live channels, as a process of its own.

Its one argument is a JSON object: `work`, the name of a function below, and what that takes. Once all have begun it
prints a line of JSON; so it does for each line that it is sent, with what has happened since the line before. It ends
with its standard input.
"""
import json
import sys

from hls_viewers import watch
from recording import Recording
from rtsp_publishers import publish
from rtsp_readers import read
from stamped_publisher import publish_stamped

WORK = {"publish": publish, "publish-stamped": publish_stamped, "read": read, "watch": watch}


def main():
    specification = json.loads(sys.argv[1])
    work = WORK[specification.pop("work")]
    if "recording" in specification:
        specification["recording"] = Recording.load(specification["recording"])
    work(**specification)


if __name__ == "__main__":
    main()
