"""What firefox-player.py and webkit-player.py do on each page: play, see that it goes on, go on from another place."""
import json
import time

PLAYER = "document.querySelector('[data-player]')?.antenaPlayer"
STATE = f"""
    const player = {PLAYER};
    const quality = player?.media.getVideoPlaybackQuality?.();
    return player ? {{state: player.state, error: player.error?.code ?? null, time: player.media.currentTime,
        ready: player.media.readyState, seeking: player.media.seeking, isLive: player.isLive, isVideo: player.isVideo,
        engine: player.engine?.constructor.name ?? null, end: player.engine?.seekable.end ?? 0,
        frames: quality?.totalVideoFrames ?? 0, dropped: quality?.droppedVideoFrames ?? 0}} : null;
"""


def wait(run, seconds, what, condition):
    """Polls the player's state until it fits; fails after a while. `run` runs a script in the page."""
    end = time.monotonic() + seconds
    while True:
        state = run(STATE)
        if state and condition(state):
            return state
        if time.monotonic() > end:
            raise RuntimeError(f"{what}: {json.dumps(state)}")
        time.sleep(0.1)


def play(run, seconds):
    """Plays without sound until a second and a half were shown, and then from the middle. Returns the last state."""
    wait(run, seconds, "no player", lambda state: True)
    run(f"const player = {PLAYER}; player.media.muted = true; player.play();")
    state = wait(run, seconds, "does not play", lambda state: state["time"] > 0.1 and state["ready"] > 2)
    begun = state["time"]
    state = wait(run, seconds, "stands still", lambda state: state["time"] > begun + 1.5)
    if state["isVideo"] and not state["frames"] > state["dropped"]:
        raise RuntimeError(f"no picture: {json.dumps(state)}")
    if not state["isLive"]:
        to = state["end"] / 2
        run(f"{PLAYER}.seek({to});")
        state = wait(run, seconds, "does not seek", lambda state: state["time"] > to + 0.2 and not state["seeking"])
    return state
