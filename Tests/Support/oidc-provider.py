#!/usr/bin/env python3
"""The OpenID Connect provider of the tests (https://pypi.org/project/oidc-provider-mock/), with a picture of its users.

    oidc-provider.py PICTURE [OPTION…]

The options are those of oidc-provider-mock. /picture.jpg answers with the file PICTURE.
"""
import sys

import flask
import oidc_provider_mock.__main__ as mock


def main():
    picture, make = sys.argv[1], mock.app

    def app(**options):
        made = make(**options)
        made.add_url_rule("/picture.jpg", "picture", lambda: flask.send_file(picture, mimetype="image/jpeg"))
        return made

    mock.app = app
    mock.run(args=sys.argv[2:])


if __name__ == "__main__":
    main()
