#!/usr/bin/env python3
"""A push service with one browser, which decrypts messages with https://pypi.org/project/http-ece/.

Prints a line of JSON with its `port` and the keys of the browser, `p256dh` and `auth`. For each message it prints a line
with the decrypted `content`, the `key` of the sender whose signature (VAPID, RFC 8292) was verified, the `audience` of the
signature, and `ttl`.
"""
import base64
import http.server
import json
import os
import re

import http_ece
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

key, secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)


def text(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def data(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def claims(authorization):
    """The key and the claims of the signature in a header."""
    token, public = re.fullmatch(r"vapid t=([^,]+), ?k=(.+)", authorization).groups()
    signed, signature = token.rsplit(".", 1)
    numbers = data(signature)
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data(public)).verify(
        utils.encode_dss_signature(int.from_bytes(numbers[:32], "big"), int.from_bytes(numbers[32:], "big")),
        signed.encode(), ec.ECDSA(hashes.SHA256()))
    return public, json.loads(data(signed.split(".")[1]))


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = 201
        try:
            public, signed = claims(self.headers["Authorization"])
            content = http_ece.decrypt(body, private_key=key, auth_secret=secret, version="aes128gcm")
            line = {"content": json.loads(content), "key": public, "audience": signed["aud"],
                    "ttl": self.headers["TTL"]}
        except Exception as error:
            status, line = 400, {"error": repr(error)}
        print(json.dumps(line), flush=True)
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
point = key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
print(json.dumps({"port": server.server_address[1], "p256dh": text(point), "auth": text(secret)}), flush=True)
server.serve_forever()
