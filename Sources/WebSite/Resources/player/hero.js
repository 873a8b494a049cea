// The picture of the home page that moves: what is on the air, without sound and without controls.

import { Player } from './player.js';

/** Plays a channel in an element; nothing happens for visitors who want no motion, or save data. */
export const showHero = (root) => {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches || navigator.connection?.saveData) return undefined;
  const { playlist, id } = root.dataset;
  const media = root.querySelector('video');
  media.muted = true;
  const player = new Player(media, { kind: 'channel', id, address: new URL(playlist, location).href, links: {} });
  media.muted = true;
  media.addEventListener('playing', () => { root.hidden = false; }, { once: true });
  player.play();
  const rest = () => { if (document.hidden) player.pause(); else player.play(); };
  document.addEventListener('visibilitychange', rest);
  return () => {
    document.removeEventListener('visibilitychange', rest);
    player.destroy();
  };
};
