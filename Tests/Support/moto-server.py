#!/usr/bin/env python3
"""Serves S3 from memory on a free loopback port, with the bucket `media`, until it is killed. Prints the port.

    .build/object-stores/bin/python Tests/Support/moto-server.py

moto does not check signatures; `rclone serve s3` does.
"""
import contextlib
import logging
import sys
import threading
import urllib.request

from moto.moto_server.threaded_moto_server import ThreadedMotoServer

logging.getLogger("werkzeug").setLevel(logging.ERROR)
with contextlib.redirect_stdout(sys.stderr):
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
port = server.get_host_and_port()[1]
urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/media", method="PUT")).read()
print(port, flush=True)
threading.Event().wait()
