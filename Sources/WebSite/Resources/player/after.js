// What a player does when something has ended, or is passed on: the countdown to the next episode, and sharing.

import { filled, make } from './elements.js';

/** Seconds of the countdown to the next episode. */
const countdown = 8;

/** Counts down to what comes next, over the picture; returns what ends that. */
export const countDown = (controls) => {
  const { player, words } = controls;
  let left = countdown;
  const number = make('span', {}, String(left));
  controls.message(filled(words.nextIn, { name: player.item.next.name }), '', [
    make('button', { type: 'button', className: 'p-action', onclick: () => controls.next() }, words.playNow),
    make('button', { type: 'button', className: 'p-action p-quiet', onclick: () => { controls.endCountdown(); controls.update(); } }, words.cancel), number,
  ]);
  const timer = setInterval(() => {
    left -= 1;
    number.textContent = String(left);
    if (left <= 0) controls.next();
  }, 1000);
  return () => clearInterval(timer);
};

/** Passes the address of this moment on: to other apps, or the clipboard, or shows it. */
export const share = async (controls) => {
  const { player, words } = controls;
  const address = new URL(player.item.page || location.href, location.href);
  if (!player.isLive) address.searchParams.set('t', String(Math.floor(player.time)));
  try {
    if (navigator.share) await navigator.share({ title: player.item.name, url: address.href });
    else { await navigator.clipboard.writeText(address.href); controls.say(words.copied); }
  } catch (error) {
    if (error.name === 'AbortError') return;
    const close = () => { controls.panel.hidden = true; controls.update(); };
    controls.message(words.shareAt, address.href, [make('button', { type: 'button', className: 'p-action', onclick: close }, words.close)]);
  }
};
