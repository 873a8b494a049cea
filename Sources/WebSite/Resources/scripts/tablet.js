// The matches that a tablet keeps: a list, and a form for new ones, which works without a network.
import { KeptMatch, newID } from './keptmatch.js';
import { deliver } from './matchdelivery.js';
import { followForm } from './matchform.js';
import { knownPlayers, newMatch, newMatchForm } from './newmatch.js';
import { refusalText } from './matchrefusals.js';
import { every } from './page.js';
import { keepScore, openTablet, saveFile } from './referee.js';
import { nameOf, wordsOf } from './scores.js';
import { keepPage, keepThings } from './tabletcache.js';

const retryTime = 5000;
/** A match that has ended and is delivered goes from the tablet after a week, in milliseconds. */
const memory = 7 * 86400000;

const element = (name, text, members = {}) => Object.assign(document.createElement(name), { textContent: text }, members);

/** The match of the address: after `#`, or at the end of the path of a page that the service worker has replaced. */
const wanted = () => location.hash.slice(1) || location.pathname.split('/').at(-1);

/** The part of an address that tells matches apart. The rest belongs to what is shown of them. */
const placeOf = ({ pathname, hash }) => pathname + hash;
/** The place of the match, or of the drawings, that are shown instead of the list. */
let shownPlace = '';

const stateOf = ({ match, waiting, refused }, words) => {
  if (match.refusal) return words.refused.replace('{reason}', refusalText(match.refusal, words));
  if (refused.length > 0) return words.refused.replace('{reason}', [...new Set(refused.map(({ reason }) => refusalText(reason, words)))].join(' '));
  if (waiting.length > 0) return words.pending.replace('{count}', String(waiting.length));
  return match.server === null ? words.waits : words.delivered;
};

const rowOf = (kept, words, address) => {
  const row = document.createElement('li');
  const { board, match } = kept;
  const save = element('button', words.save, { type: 'button', className: 'second' });
  save.addEventListener('click', () => saveFile(kept));
  row.dataset.match = match.id;
  row.append(
    element('a', board.sides.map((side) => nameOf(side, false)).join(' – '), { href: `${address}#${match.id}` }),
    element('span', board.score, { className: 'score' }),
    element('span', stateOf(kept, words), { className: 'sub' }), save);
  return row;
};

/** Shows the page of a match in place of the list. */
const showMatch = (page, tablet, record, signal) => {
  shownPlace = placeOf(location);
  const copy = document.getElementById('referee-page').content.cloneNode(true);
  page.replaceWith(copy);
  return keepScore(document.getElementById('referee'), tablet.store, tablet.tabletClock, record, signal);
};

/** Shows the page of drawings in place of the list. */
const showStrategies = async (page, { store }, signal) => {
  shownPlace = placeOf(location);
  const copy = document.getElementById('strategy-page').content.cloneNode(true);
  page.replaceWith(copy);
  for (const link of document.querySelectorAll('main > nav a')) {
    link.removeAttribute('aria-current');
    if (link.pathname === location.pathname) link.setAttribute('aria-current', 'page');
  }
  document.getElementById('strategy').dataset.channels = JSON.stringify(await store.thing('channels') ?? []);
  const { begin: beginStrategies } = await import('./strategy.js');
  await beginStrategies(signal);
};

const purge = async (store, list) => {
  for (const kept of list) {
    const { board, match, waiting, refused } = kept;
    const isOver = board.endedAt && Date.now() - Date.parse(board.endedAt) > memory;
    if (isOver && match.server !== null && waiting.length === 0 && refused.length === 0) await store.removeMatch(match.id, kept.events);
  }
};

const showList = async (page, { store, tabletClock }, words, signal) => {
  const list = [];
  const place = page.querySelector('.kept');
  const message = page.querySelector('.message');
  const logIn = page.querySelector('.tablet-log-in');
  let isBusy = false;
  const draw = () => {
    place.replaceChildren(...list.map((kept) => rowOf(kept, words, page.dataset.tablet)));
    page.querySelector('.empty').hidden = list.length > 0;
  };
  for (const match of await store.matches()) list.unshift(await KeptMatch.load(store, tabletClock, match));
  draw();
  const update = async () => {
    if (isBusy || signal.aborted) return;
    isBusy = true;
    const outcomes = [];
    for (const kept of list) {
      if (kept.waiting.length === 0 && kept.match.server !== null) continue;
      if (!outcomes.includes('away')) outcomes.push(await deliver(kept).catch(() => 'notKept'));
    }
    const worst = ['notKept', 'logIn', 'forbidden', 'gone', 'away'].find((outcome) => outcomes.includes(outcome));
    message.textContent = worst ? words[worst] : '';
    logIn.hidden = !outcomes.some((outcome) => outcome === 'logIn' || outcome === 'forbidden');
    if (outcomes.length > 0) draw();
    isBusy = false;
  };
  if (list.some(({ waiting }) => waiting.length > 0)) await tabletClock.measure();
  await update();
  await purge(store, list);
  addEventListener('online', update, { signal });
  every(retryTime, update, signal);
};

/** `show` shows the match that the form has made. */
const showForm = async (page, { store, tabletClock }, words, show, signal) => {
  const form = page.querySelector('.new-match');
  const known = {
    channels: await store.thing('channels') ?? [], rules: await store.thing('rules') ?? [], players: await store.thing('players') ?? [],
  };
  const isPossible = known.channels.length > 0 && known.rules.length > 0;
  form.hidden = !isPossible;
  page.querySelector('.no-rules').hidden = isPossible;
  if (!isPossible) return;
  newMatchForm(form, known);
  followForm(form, wordsOf(form), async (text) => knownPlayers(known.players, text), signal);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { problem, setup, request } = newMatch(new FormData(form), known);
    form.querySelector('.line-up .wrong').textContent = problem ? words[problem] : '';
    if (problem) return;
    const record = { id: newID(), server: null, key: newID(), request: JSON.stringify(request), setup, base: [], madeAt: tabletClock.time() };
    await store.putMatch(record);
    history.pushState(null, '', `${page.dataset.tablet}#${record.id}`);
    show(record);
  });
};

export const begin = async (signal) => {
  const page = document.getElementById('tablet');
  const words = wordsOf(page);
  const tablet = await openTablet(signal);
  const { store } = tablet;
  const id = wanted();
  const record = (await store.matches()).find((match) => match.id === id || match.server === id);
  const [isReady, things] = [keepPage(page.dataset.tablet), keepThings(page.dataset.tablet, store, words.flags)];
  // The list ends when a match takes its place.
  const list = new AbortController();
  signal.addEventListener('abort', () => list.abort(), { once: true });
  const show = (match) => {
    list.abort();
    return showMatch(page, tablet, match, signal);
  };
  addEventListener('hashchange', async () => {
    const match = page.isConnected ? await store.match(wanted()) : undefined;
    if (match) show(match); else location.reload();
  }, { signal });
  addEventListener('popstate', () => { if (!page.isConnected && placeOf(location) !== shownPlace) location.reload(); }, { signal });
  if (record) { await show(record); return; }
  // The service worker shows this page in place of that of drawings as well.
  if (location.pathname.endsWith('/estrategia')) { await showStrategies(page, tablet, signal); return; }
  page.querySelector('[data-needs-https]').hidden = window.isSecureContext;
  await showForm(page, tablet, words, show, signal);
  await showList(page, tablet, words, list.signal);
  await things;
  if (page.isConnected && page.querySelector('.new-match').hidden) await showForm(page, tablet, words, show, signal);
  page.querySelector('.tablet-ready').hidden = !await isReady;
};
