// The pictures of channels on the air that nobody has started yet: the newest frame of their I-frame playlist, now and then.

import { Requests } from './fetch.js';
import { make } from './elements.js';
import { isMultivariant, parseMultivariant } from './playlist.js';
import { FramePreview } from './preview.js';

/** How often a picture is drawn again while somebody looks at it, in milliseconds. */
const interval = 10000;

/** Draws the newest frame of the channel of a playlist. */
export const drawChannel = async (playlist, canvas, signal) => {
  const requests = new Requests();
  const { body, address } = await requests.text(playlist, { signal, tries: 1, kind: 'playlist' });
  if (!isMultivariant(body)) return;
  const variant = parseMultivariant(body, address).imageVariants.find(({ codecs }) => codecs.length > 0);
  if (!variant) return;
  const preview = new FramePreview({ variant, requests, date: () => Infinity, isLive: true });
  try {
    canvas.hidden = !await preview.draw(canvas, 0) && canvas.hidden;
  } finally { preview.destroy(); }
};

/** Draws the pictures of channels that are seen; returns what ends that. */
export const showThumbnails = (entries) => {
  const stop = new AbortController();
  const watched = new Map(entries.map((entry) => [entry.root, { ...entry, isSeen: false, drawn: -Infinity }]));
  const look = () => {
    if (document.hidden) return;
    for (const one of watched.values()) {
      const { player, root } = one;
      if (!one.isSeen || root.hidden || player.engine || performance.now() - one.drawn < interval) continue;
      one.drawn = performance.now();
      if (!one.canvas) {
        one.canvas = make('canvas', { className: 'p-still', hidden: true });
        player.media.after(one.canvas);
      }
      drawChannel(player.item.address, one.canvas, stop.signal).catch(() => { /* Off the air, or not allowed: the player will say so. */ });
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
