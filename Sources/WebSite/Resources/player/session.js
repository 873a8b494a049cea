// The media session: what lock screens and keyboards show, and what their keys do.

/**
 * Describes what plays to the system, and takes its keys.
 *
 * @param player the player.
 * @param about `title`, `artist`, `album`, `artwork` (an address).
 * @param keys further actions by their names, such as `nexttrack`.
 */
export const describe = (player, about, keys = {}) => {
  const { mediaSession } = navigator;
  if (!mediaSession || !globalThis.MediaMetadata) return;
  const artwork = about.artwork ? [{ src: new URL(about.artwork, location).href }] : [];
  mediaSession.metadata = new MediaMetadata({ title: about.title || '', artist: about.artist || '', album: about.album || '', artwork });
  const actions = {
    play: () => player.play(), pause: () => player.pause(), stop: () => player.pause(),
    seekbackward: ({ seekOffset }) => player.skip(-(seekOffset || 10)), seekforward: ({ seekOffset }) => player.skip(seekOffset || 10),
    seekto: ({ seekTime }) => player.seek(seekTime + (player.engine?.base || 0)), previoustrack: undefined, nexttrack: undefined, ...keys,
  };
  for (const [name, action] of Object.entries(actions)) {
    try { mediaSession.setActionHandler(name, action || null); } catch { /* A browser that does not know this key. */ }
  }
};

/** Tells the system where the player is. */
export const report = (player) => {
  const { mediaSession } = navigator;
  if (!mediaSession?.setPositionState) return;
  mediaSession.playbackState = player.media.paused ? 'paused' : 'playing';
  const { duration, time, media } = player;
  try {
    if (Number.isFinite(duration) && duration > 0) {
      mediaSession.setPositionState({ duration, position: Math.min(Math.max(0, time), duration), playbackRate: media.playbackRate || 1 });
    } else mediaSession.setPositionState();
  } catch { /* Times that do not go together for a moment. */ }
};
