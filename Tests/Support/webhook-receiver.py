#!/usr/bin/env python3
"""A receiver of webhooks, which verifies messages with https://pypi.org/project/standardwebhooks/.

    webhook-receiver.py FOLDER

Prints its port. For each request it prints the status of its answer and, if the message is verified, the webhook-id, the
type, the number of the event, and how many signatures it has. What it does is in files of the folder, which are read again
for each request: `secret` (the text of the secret; without it nothing is verified) and `status` (the status of its
answer).
"""
import http.server
import os
import sys
import threading

from standardwebhooks import Webhook

folder = sys.argv[1]
printing = threading.Lock()


def setting(name, default):
    try:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return file.read().strip() or default
    except FileNotFoundError:
        return default


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status, words = int(setting("status", "204")), []
        try:
            event = Webhook(setting("secret", "")).verify(body, dict(self.headers.items()))
            words = [self.headers["webhook-id"], event["type"], event["data"].get("id", "-"),
                     str(len(self.headers["webhook-signature"].split()))]
        except Exception as error:
            status, words = 401, [type(error).__name__]
        # Threads print at the same time.
        with printing:
            print(status, *words, flush=True)
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_address[1], flush=True)
server.serve_forever()
