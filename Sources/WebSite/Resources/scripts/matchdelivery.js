// Delivers the matches of a tablet: a match that the server does not have is made first, then its events follow in order.
// Every step may be repeated: the server makes a match once for each key, and takes an event once for each ID.
import { newID } from './keptmatch.js';
import { refusalOf } from './matchrefusals.js';
import { ageOf } from './tabletclock.js';

/** Limits of one request; each amendment makes the server compute the match again. */
const batchCount = 200;
const amendmentCount = 20;
/** An event that is older when it is delivered was entered without a network; in milliseconds. */
export const liveTime = 3500;

let token = document.body?.dataset.csrf ?? '';

const send = async (path, body, headers, method) => fetch(path, {
  method, body, headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), 'X-CSRF-Token': token, ...headers },
});

/** The page may be older than the session: the token is asked for again. Returns whether it has changed. */
const renewToken = async () => {
  const answer = await fetch('/api/v1/session', { headers: { Accept: 'application/json' }, cache: 'no-store' });
  const session = answer.ok ? await answer.json() : {};
  const isNew = Boolean(session.csrf) && session.csrf !== token;
  if (session.csrf) token = session.csrf;
  return { isNew, hasSession: Boolean(session.csrf) };
};

/**
 * Sends a request, and again with a new token if the session has changed. The outcome is `ok`, `refused` (the same
 * request cannot succeed later), `changed` (the version of `If-Match` is not there any more), `logIn`, `forbidden`, `gone` or
 * `away`.
 */
export const exchange = async (path, body, headers = {}, method = 'POST') => {
  try {
    let answer = await send(path, body, headers, method);
    if (answer.status === 401 || answer.status === 403) {
      const { isNew, hasSession } = await renewToken();
      if (!isNew) return { outcome: answer.status === 401 || !hasSession ? 'logIn' : 'forbidden' };
      answer = await send(path, body, headers, method);
      if (answer.status === 401) return { outcome: 'logIn' };
      if (answer.status === 403) return { outcome: 'forbidden' };
    }
    const content = await answer.json().catch(() => undefined);
    if (answer.status === 204 || (answer.ok && content)) return { outcome: 'ok', content };
    if (answer.status === 412) return { outcome: 'changed', content };
    if (answer.status === 404) return { outcome: 'gone', content };
    if ([400, 409, 413, 422].includes(answer.status) && content) return { outcome: 'refused', content };
  } catch { /* There is no network. */ }
  return { outcome: 'away' };
};

/** The names of entrants, without the IDs of players. */
const names = (entrants) => entrants.map(({ name }) => name);

const create = async (kept) => {
  const { request, key, setup } = kept.match;
  let { outcome, content } = await exchange('/api/v1/matches', request, { 'Idempotency-Key': key });
  if (outcome === 'gone') {
    // A player was deleted meanwhile; the match keeps the names.
    const [sideA, sideB] = setup.sides.map(names);
    const changed = { request: JSON.stringify({ ...JSON.parse(request), sideA, sideB }), key: newID() };
    await kept.change(changed);
    ({ outcome, content } = await exchange('/api/v1/matches', changed.request, { 'Idempotency-Key': changed.key }));
  }
  if (outcome === 'ok') await kept.change({ server: content.match, refusal: null });
  else if (outcome === 'refused' && content.type?.endsWith('request-in-progress')) return 'away';
  else if (outcome === 'refused' || outcome === 'gone') {
    await kept.change({ refusal: refusalOf(content) });
    return 'refused';
  }
  return outcome;
};

/** As many of the first events as one request takes. */
const batchOf = (events, maximumCount) => {
  let amendments = 0;
  const end = events.findIndex(({ event }, index) => {
    if (event.type === 'amend') amendments += 1;
    return index >= maximumCount || amendments > amendmentCount;
  });
  return end < 0 ? events : events.slice(0, end);
};

/** The entries that the server has after those that the tablet knows. */
const loadBase = async (kept) => {
  const answer = await fetch(`/api/v1/matches/${kept.match.server}/events?after=${kept.baseSequence}`, { headers: { Accept: 'application/json' } });
  if (!answer.ok) return;
  const { items } = await answer.json();
  if (items.length > 0) await kept.addBase(items);
};

/** Whether somebody who sees the page has just entered all of it. */
const isLive = (batch) => batch.every(({ at }) => ageOf(at) <= liveTime);

const deliverEvents = async (kept, asks) => {
  let maximumCount = batchCount;
  while (kept.waiting.length > 0) {
    const batch = batchOf(kept.waiting, maximumCount);
    // A referee who sees the match is asked about a race. What was entered without a network is kept as a conflict.
    const way = asks && isLive(batch) ? { expected: kept.knownSequence } : { keepConflicts: true };
    const body = JSON.stringify({ events: kept.wire(batch), ...way });
    const { outcome, content } = await exchange(`/api/v1/matches/${kept.match.server}/events`, body);
    if (outcome === 'ok') {
      await kept.settle(batch, 'delivered');
      kept.answer = content;
      maximumCount = batchCount;
    } else if (outcome === 'refused' && content.events && way.expected !== undefined) {
      kept.race = content.events;
      return 'race';
    } else if (outcome === 'refused' && batch.length > 1) {
      // One at a time, so that only what is refused stays behind.
      maximumCount = 1;
    } else if (outcome === 'refused') {
      await kept.settle(batch, 'refused', refusalOf(content));
    } else {
      return outcome;
    }
  }
  return 'ok';
};

/**
 * Delivers what waits of a match, and loads what others have entered. Returns the outcome.
 *
 * If it `asks`, an event that has just been entered is not added to a match that others have changed meanwhile: the
 * outcome is `race`, and `kept.race` has their entries.
 */
export const deliver = async (kept, { asks = false } = {}) => {
  if (kept.match.server === null) {
    const outcome = await create(kept);
    if (outcome !== 'ok') return outcome;
  }
  const outcome = await deliverEvents(kept, asks);
  if (outcome !== 'ok') return outcome;
  try {
    if (kept.answer === undefined || kept.answer.sequence > kept.baseSequence) await loadBase(kept);
  } catch { return 'away'; }
  return 'ok';
};

/** Asks for the board of a match, which others may have changed. Returns the outcome. */
export const refresh = async (kept) => {
  try {
    const answer = await fetch(`/api/v1/matches/${kept.match.server}`, { headers: { Accept: 'application/json' } });
    if (answer.status === 404) return 'gone';
    if (!answer.ok) return 'away';
    const board = await answer.json();
    if (kept.waiting.length > 0) return 'ok';
    kept.answer = board;
    if (board.sequence > kept.baseSequence) await loadBase(kept);
    return 'ok';
  } catch { return 'away'; }
};
