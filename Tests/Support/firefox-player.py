#!/usr/bin/env python3
"""Plays pages of the site in headless Firefox, over Marionette.

    firefox-player.py ORIGIN PATH...

On each page the player plays without sound until a second and a half were shown, then goes on from another place if it can
seek. Each page prints one line of JSON; the exit code is 0 if all played and frames were decoded. Needs `firefox-esr` and
PyPI's `marionette_driver`, like firefox-pages.py beside it.
"""
import json
import sys
import tempfile

from beside import module

firefox_pages, steps = module("firefox-pages"), module("player-steps")
SECONDS = 60


def main():
    origin, *paths = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        process, browser = firefox_pages.start("en", folder)
        try:
            for path in paths:
                browser.navigate(origin + path)
                state = steps.play(lambda script: browser.execute_script(script, sandbox=None), SECONDS)
                print(json.dumps({"path": path, **state}), flush=True)
        except RuntimeError as error:
            sys.exit(str(error))
        finally:
            firefox_pages.stop(process)


if __name__ == "__main__":
    main()
