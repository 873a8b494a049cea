// The time from the camera to the server, measured by somebody who sees both the court and the picture.
import { get, setText } from './dom.js';
import { dateOf } from './scores.js';
import { askForTime, contactOf, median } from './tabletclock.js';

/** A longer time from one tap to the other is a mistake, in milliseconds. */
const longest = 120_000;
/** The longest time that a channel can have, in seconds. */
const maximum = 10;

const inSeconds = (text, seconds) => text.replace('{seconds}', seconds.toLocaleString(document.documentElement.lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 }));

const make = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

/** The date of the frame that is shown; `undefined` while nothing plays. */
const shownDate = () => {
  const root = document.querySelector('.player[data-score]');
  return root?.antenaPlayer && !root.antenaPlayer.media.paused ? dateOf(root) : undefined;
};

const beginOne = (place, signal) => {
  const words = JSON.parse(place.dataset.words);
  const address = `/api/v1/configuration/channels/${encodeURIComponent(place.dataset.captureClock)}`;
  const button = (text, act) => {
    const made = make('button', { type: 'button', className: 'second', textContent: text });
    made.addEventListener('click', act, { signal });
    return made;
  };
  const [current, state] = [make('p', {}), make('p', { role: 'status' })];
  const known = make('p', { textContent: words.known, hidden: true });
  const found = [];
  // The time that the dates of this push have, which another push may have no more.
  let [offset, pushDelay] = [0, 0];
  let [version, happened] = [];

  const load = async () => {
    const answer = await fetch(address, { headers: { Accept: 'application/json' } });
    if (!answer.ok) return;
    version = answer.headers.get('ETag');
    const { captureDelay = 0 } = await answer.json();
    setText(current, inSeconds(words.setNow, captureDelay));
  };
  const result = () => Math.min(maximum, Math.max(0, Math.round(median(found) * 100) / 100));
  const apply = button(words.apply, async () => {
    const answer = await fetch(address, {
      method: 'PATCH', headers: { 'Content-Type': 'application/json', 'If-Match': version, 'X-CSRF-Token': document.body.dataset.csrf ?? '' },
      body: JSON.stringify({ captureDelay: result() }),
    });
    const problem = answer.ok ? undefined : await answer.json().catch(() => ({}));
    setText(state, problem ? `${words.failed} ${problem.detail ?? answer.status}` : words.applied);
    await load();
  });
  apply.disabled = true;
  const seen = button(words.seen, () => {
    const date = shownDate();
    if (!Number.isFinite(date)) { setText(state, words.needsPlaying); return; }
    if (happened !== undefined && Date.now() + offset - happened < longest) {
      found.push(pushDelay + (date - happened) / 1000);
      setText(state, inSeconds(words.measured, result()));
      apply.disabled = !version;
    }
    happened = undefined;
    seen.disabled = true;
  });
  seen.disabled = true;
  const happens = button(words.happens, () => {
    happened = Date.now() + offset;
    seen.disabled = false;
  });
  place.append(make('p', { textContent: words.explanation }), known, current, make('p', { className: 'links' }, happens, seen, apply), state);
  place.addEventListener('toggle', async () => {
    if (!place.open) return;
    const [samples, channel] = await Promise.all([
      askForTime(), get(`/api/v1/channels/${encodeURIComponent(place.dataset.captureClock)}`).catch(() => ({})),
      load().catch(() => {})]);
    if (samples) offset = contactOf(samples).wall;
    pushDelay = channel.publisher?.captureDelay ?? 0;
    known.hidden = channel.publisher?.clockOffset === undefined;
  }, { signal });
};

export const begin = (signal) => {
  for (const place of document.querySelectorAll('[data-capture-clock]')) beginOne(place, signal);
};
