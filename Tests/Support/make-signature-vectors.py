#!/usr/bin/env python3
"""Prints signatures that botocore computes, for Tests/MediaStorageTests/Signing/RequestSignatureTests.swift.

    .build/object-stores/bin/python Tests/Support/make-signature-vectors.py
"""
import datetime
from unittest import mock

import botocore.auth
import botocore.awsrequest
import botocore.credentials

EXAMPLE = ("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
TIME = datetime.datetime(2013, 5, 24)


def authorization(credentials, method, url, headers=None, body=b"", region="us-east-1"):
    request = botocore.awsrequest.AWSRequest(method=method, url=url, headers=headers or {}, data=body)
    signer = botocore.auth.S3SigV4Auth(botocore.credentials.Credentials(*credentials), "s3", region)
    with mock.patch("botocore.auth.get_current_datetime", lambda: TIME):
        signer.add_auth(request)
    return request.headers["Authorization"]


for name, value in {
    "ranged GET": authorization(
        EXAMPLE, "GET", "https://examplebucket.s3.amazonaws.com/test.txt", {"Range": "bytes=0-9"}),
    "list": authorization(EXAMPLE, "GET", "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J"),
    "part with a token": authorization(
        EXAMPLE + ("token/with+signs==",), "PUT",
        "http://127.0.0.1:9000/media/pel%C3%ADculas/a%C3%B1o%201%2B2.mp4?partNumber=10&uploadId=a%2Fb%3D%3D",
        {"content-md5": "XrY7u+Ae7tCTyyK7j1rNww=="}, b"hello world", "auto"),
}.items():
    print(f"{name}: {value}")
