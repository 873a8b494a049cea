#!/usr/bin/env python3
"""Plays pages of the site in headless Firefox, over Marionette.

    firefox-player.py ORIGIN PATH...

On each page the player plays without sound until a second and a half were shown, then goes on from another place if it can
seek. Each page prints one line of JSON; the exit code is 0 if all played and frames were decoded. Needs `firefox-esr` and
PyPI's `marionette_driver`, like firefox-pages.py beside it.
"""
import importlib.util
import json
import os
import sys
import tempfile
import time

spec = importlib.util.spec_from_file_location(
    "firefox_pages", os.path.join(os.path.dirname(os.path.abspath(__file__)), "firefox-pages.py"))
firefox_pages = importlib.util.module_from_spec(spec)
spec.loader.exec_module(firefox_pages)

SECONDS = 60
PLAYER = "document.querySelector('[data-player]')?.antenaPlayer"
STATE = f"""
    const player = {PLAYER};
    const quality = player?.media.getVideoPlaybackQuality?.();
    return player && {{state: player.state, error: player.error?.code ?? null, time: player.media.currentTime,
        ready: player.media.readyState, seeking: player.media.seeking, isLive: player.isLive, isVideo: player.isVideo,
        engine: player.engine?.constructor.name ?? null, end: player.engine?.seekable.end ?? 0,
        frames: quality?.totalVideoFrames ?? 0, dropped: quality?.droppedVideoFrames ?? 0}};
"""


def run(browser, script):
    return browser.execute_script(script, sandbox=None)


def wait(browser, what, condition):
    """Polls the player's state until it fits; fails after a while."""
    end = time.monotonic() + SECONDS
    while True:
        state = run(browser, STATE)
        if state and condition(state):
            return state
        if time.monotonic() > end:
            raise RuntimeError(f"{what}: {json.dumps(state)}")
        time.sleep(0.1)


def play(browser, address):
    browser.navigate(address)
    wait(browser, "no player", lambda state: True)
    run(browser, f"const player = {PLAYER}; player.media.muted = true; player.play();")
    state = wait(browser, "does not play", lambda state: state["time"] > 0.1 and state["ready"] > 2)
    begun = state["time"]
    state = wait(browser, "stands still", lambda state: state["time"] > begun + 1.5)
    if state["isVideo"] and not state["frames"] > state["dropped"]:
        raise RuntimeError(f"no picture: {json.dumps(state)}")
    if not state["isLive"]:
        to = state["end"] / 2
        run(browser, f"{PLAYER}.seek({to});")
        state = wait(browser, "does not seek", lambda state: state["time"] > to + 0.2 and not state["seeking"])
    return state


def main():
    origin, *paths = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        process, browser = firefox_pages.start("en", folder)
        try:
            for path in paths:
                print(json.dumps({"path": path, **play(browser, origin + path)}), flush=True)
        except RuntimeError as error:
            sys.exit(str(error))
        finally:
            firefox_pages.stop(process)


if __name__ == "__main__":
    main()
