// The pictures of channels on the air that nobody has started yet. The server makes one for all who look.

import { make } from './elements.js';

/** How often a picture is asked for again while somebody looks at it, in milliseconds. */
const interval = 10000;

/** Shows the current picture of the channel of a playlist; does nothing while there is none. */
export const showPicture = async (playlist, image, signal) => {
  const address = new URL('thumbnail.jpg', playlist);
  // An address that the browser has shown already would not be asked for again.
  address.searchParams.set('at', Math.floor(Date.now() / interval));
  const next = new Image();
  next.src = address.href;
  try {
    await next.decode();
  } catch {
    // Off the air, or not allowed: the player will say so.
    return;
  }
  if (signal.aborted) return;
  image.src = next.src;
  image.hidden = false;
};

/** Shows the pictures of channels that are seen; returns what ends that. */
export const showThumbnails = (entries) => {
  const stop = new AbortController();
  const watched = new Map(entries.map((entry) => [entry.root, { ...entry, isSeen: false, shown: -Infinity }]));
  const look = () => {
    if (document.hidden) return;
    for (const one of watched.values()) {
      const { player, root } = one;
      if (!one.isSeen || root.hidden || player.engine || performance.now() - one.shown < interval) continue;
      one.shown = performance.now();
      if (!one.image) {
        one.image = make('img', { className: 'p-still', alt: '', hidden: true });
        player.media.after(one.image);
      }
      showPicture(new URL(player.item.address, location), one.image, stop.signal);
    }
  };
  const seen = new IntersectionObserver((changes) => {
    changes.forEach(({ target, isIntersecting }) => { watched.get(target).isSeen = isIntersecting; });
    look();
  });
  watched.forEach((_, root) => seen.observe(root));
  const timer = setInterval(look, 1000);
  return () => {
    stop.abort();
    clearInterval(timer);
    seen.disconnect();
  };
};
