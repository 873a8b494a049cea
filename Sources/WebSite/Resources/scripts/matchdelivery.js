// Delivers the matches of a tablet: a match that the server does not have is made first, then its events follow in order.
// Every step may be repeated: the server makes a match once for each key, and takes an event once for each ID.
import { newID } from './keptmatch.js';

/** Limits of one request; each amendment makes the server compute the match again. */
const batchCount = 200;
const amendmentCount = 20;

let token = document.body?.dataset.csrf ?? '';

const send = async (path, body, headers = {}) => fetch(path, {
  method: 'POST', body, headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': token, ...headers },
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
 * request cannot succeed later), `logIn`, `forbidden`, `gone` or `away`.
 */
const exchange = async (path, body, headers) => {
  try {
    let answer = await send(path, body, headers);
    if (answer.status === 401 || answer.status === 403) {
      const { isNew, hasSession } = await renewToken();
      if (!isNew) return { outcome: answer.status === 401 || !hasSession ? 'logIn' : 'forbidden' };
      answer = await send(path, body, headers);
      if (answer.status === 401) return { outcome: 'logIn' };
      if (answer.status === 403) return { outcome: 'forbidden' };
    }
    const content = await answer.json().catch(() => undefined);
    if (answer.ok && content) return { outcome: 'ok', content };
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
    await kept.change({ refusal: content?.detail ?? '' });
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

const deliverEvents = async (kept) => {
  let maximumCount = batchCount;
  while (kept.waiting.length > 0) {
    const batch = batchOf(kept.waiting, maximumCount);
    const body = JSON.stringify({ events: kept.wire(batch), keepConflicts: true });
    const { outcome, content } = await exchange(`/api/v1/matches/${kept.match.server}/events`, body);
    if (outcome === 'ok') {
      await kept.settle(batch, 'delivered');
      kept.answer = content;
      maximumCount = batchCount;
    } else if (outcome === 'refused' && batch.length > 1) {
      // One at a time, so that only what is refused stays behind.
      maximumCount = 1;
    } else if (outcome === 'refused') {
      await kept.settle(batch, 'refused', content.detail ?? '');
    } else {
      return outcome;
    }
  }
  return 'ok';
};

/** Delivers what waits of a match, and loads what others have entered. Returns the outcome. */
export const deliver = async (kept) => {
  if (kept.match.server === null) {
    const outcome = await create(kept);
    if (outcome !== 'ok') return outcome;
  }
  const outcome = await deliverEvents(kept);
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
