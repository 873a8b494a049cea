// The page on which a referee keeps the score: by touch, keys and buttons. An event is kept on the tablet before the score
// changes, and delivered when there is a network.
import { KeptMatch } from './keptmatch.js';
import { deliver, liveTime, refresh } from './matchdelivery.js';
import { refusalText } from './matchrefusals.js';
import { MatchConflict } from './matchrules.js';
import { MatchStore } from './matchstore.js';
import { MemoryStore } from './memorystore.js';
import { every } from './page.js';
import { drawReferee, drawResult } from './refereeboard.js';
import { openBeside } from './refereebeside.js';
import { listenToKeys, listenToTouch, sideOf } from './refereetouch.js';
import { situation, wordsOf } from './scores.js';
import { soundEnd } from './refereesound.js';
import { ageOf, TabletClock } from './tabletclock.js';
import { keepPage, keepThings } from './tabletcache.js';

/** The same action again within so many milliseconds is an accident. */
const repeatTime = 350;
const retryTime = 2000;
/** The time for which a refusal is shown. */
const refusalTime = 4000;
/** The time for which the result of a match is shown before the menu is, in milliseconds. */
const resultTime = 12000;

/** The record of the match that a page of the server shows. */
const recordOf = async (store, { match: server, setup: text }) => {
  const setup = JSON.parse(text);
  const known = (await store.matches()).find((match) => match.id === server || match.server === server);
  const record = { id: server, base: [], ...known, server, setup };
  await store.putMatch(record);
  return record;
};

/** Saves everything that the tablet has of a match as a file. */
export const saveFile = (kept) => {
  const { file } = kept;
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(file), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
};

/** Shows a match of the tablet on the page, and keeps its score. */
export const keepScore = async (page, store, tabletClock, record, signal) => {
  const words = wordsOf(page);
  const kept = await KeptMatch.load(store, tabletClock, record);
  let isBusy = false;
  let lastAction = { name: '', time: -Infinity };
  let lastPhase = kept.board.phase;
  const message = page.querySelector('.message');
  const setting = (name) => page.querySelector(`[name=${name}]`);
  const tell = (text, isError = true) => {
    message.textContent = text;
    message.classList.toggle('error', isError);
  };
  let refusedAt = -Infinity;
  /** An action that was not possible; the state of the delivery follows after a while. */
  const refuse = (text) => {
    refusedAt = performance.now();
    tell(text);
  };
  const say = (text) => {
    if (!setting('speech').checked || !globalThis.speechSynthesis) return;
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = document.documentElement.lang;
    speechSynthesis.speak(utterance);
  };

  // MARK: The end of a match

  const result = page.querySelector('.finish');
  let leavesAt;
  let isAway = false;
  const isFinal = (phase) => phase === 'finished' || phase === 'abandoned';
  const stay = () => { leavesAt = undefined; };
  const close = () => {
    stay();
    result.hidden = true;
  };
  const open = () => {
    leavesAt = performance.now() + resultTime;
    result.hidden = false;
    result.focus();
  };
  const drawEnd = (now) => {
    if (result.hidden) return;
    // Leaving would lose events that only this page has, and the question of a race. The time begins again afterwards.
    const mustStay = kept.hasUnkept || kept.race !== undefined;
    if (mustStay && leavesAt !== undefined) leavesAt = performance.now() + resultTime;
    const left = mustStay || leavesAt === undefined ? undefined : Math.max(0, Math.ceil((leavesAt - performance.now()) / 1000));
    drawResult(result, kept, words, now, left);
    if (left !== 0) return;
    stay();
    // Without a network, only the service worker has a menu to go to.
    if (navigator.serviceWorker?.controller || !isAway) location.assign(result.querySelector('[data-leave]').href);
  };
  const draw = () => {
    const now = tabletClock.time();
    drawReferee(page, kept, words, now);
    const { board } = kept;
    if (board.phase !== lastPhase) {
      if (board.phase === 'gameOver' || board.phase === 'finished') {
        say(`${situation(board, words, now)}. ${board.finished.at(-1)?.join(' – ') ?? ''}`);
        if (setting('sound').checked) soundEnd(board.phase === 'finished');
      }
      if (isFinal(board.phase)) open(); else close();
      lastPhase = board.phase;
    }
    drawEnd(now);
  };

  // MARK: Delivery

  const textOf = (outcome) => {
    switch (outcome) {
      case 'race': return '';
      case 'ok': return store instanceof MemoryStore ? words.notKept : '';
      case 'refused': return words.refused.replace('{reason}', refusalText(kept.match.refusal, words));
      default: return words[outcome];
    }
  };
  const update = async ({ asks = true } = {}) => {
    // A race waits for an answer.
    if (isBusy || signal.aborted || kept.race) return;
    isBusy = true;
    try {
      const isDue = kept.waiting.length > 0 || kept.match.server === null;
      // The times of events are only as good as the clock that they are delivered by.
      if (isDue && kept.waiting.some(({ at }) => ageOf(at) > liveTime)) await tabletClock.measure();
      const outcome = isDue ? await deliver(kept, { asks }) : await refresh(kept);
      isAway = outcome === 'away';
      if (performance.now() - refusedAt > refusalTime) tell(textOf(outcome));
      draw();
    } catch (error) {
      tell(words.notKept);
      throw error;
    } finally {
      isBusy = false;
    }
  };
  const act = async (event, name = JSON.stringify(event)) => {
    const time = performance.now();
    if (lastAction.name === name && time - lastAction.time < repeatTime) return;
    lastAction = { name, time };
    navigator.vibrate?.(20);
    try {
      const outcome = await kept.act(event);
      if (outcome === 'nothing') refuse(words.nothingToUndo);
      if (outcome === 'unkept') refuse(words.notKept);
    } catch (error) {
      if (!(error instanceof MatchConflict)) throw error;
      refuse(words.conflicts[error.reason]);
      return;
    }
    draw();
    update();
  };

  // MARK: Buttons

  const actions = {
    start: () => act({ type: 'start' }),
    nextGame: () => act({ type: 'nextGame' }),
    endPeriod: () => act({ type: 'endPeriod' }),
    clock: () => act({ type: kept.board.clock?.runningSince ? 'stopClock' : 'startClock' }, 'clock'),
    server: () => act({ type: 'changeServer' }),
    endTimeOut: () => act({ type: 'endTimeOut' }),
    undo: () => act({ type: 'undo' }),
    freeze: () => act({ type: kept.board.frozen ? 'unfreeze' : 'freeze' }, 'freeze'),
    abandon: () => { if (confirm(words.askAbandon)) act({ type: 'abandon' }); },
    note: () => { const text = prompt(words.note); if (text) act({ type: 'note', text }); },
    save: () => saveFile(kept),
    stay: () => { stay(); result.querySelector('.left').textContent = ''; },
    // The answers to a race: the events count as well, or not.
    enter: () => {
      kept.race = undefined;
      draw();
      update({ asks: false });
    },
    leaveOut: async () => {
      await kept.dropWaiting();
      kept.race = undefined;
      draw();
      update();
    },
  };
  page.addEventListener('click', ({ target }) => {
    const button = target.closest('button[data-action]');
    if (button) { actions[button.dataset.action]?.(); return; }
    const value = target.closest('button[data-give]');
    if (value) act({ type: value.dataset.give, side: sideOf(value), ...(value.dataset.value ? { count: Number(value.dataset.value) } : {}) });
    const use = target.closest('button[data-use]');
    if (use) act({ type: use.dataset.use, side: sideOf(use) });
  }, { signal });
  listenToTouch(page, act, () => setting('tap').checked, signal);
  listenToKeys(act, actions, signal);
  for (const input of page.querySelectorAll('input[type=checkbox]')) {
    const name = `antena:referee:${input.name}`;
    try {
      const known = localStorage.getItem(name);
      if (known !== null) input.checked = known === 'true';
      input.addEventListener('change', () => localStorage.setItem(name, String(input.checked)), { signal });
    } catch { /* The browser keeps nothing. */ }
  }
  page.querySelector('[data-needs-https]').hidden = window.isSecureContext;
  store.listen((match) => { if (match === record.id) kept.reload().then(draw); });
  openBeside(page, kept, signal);
  draw();
  update();
  addEventListener('online', () => update(), { signal });
  every(1000, draw, signal);
  every(retryTime, () => update(), signal);
};

/** Opens what the tablet keeps; it is closed with the page. */
export const openTablet = async (signal) => {
  const store = await MatchStore.open().catch(() => new MemoryStore());
  signal.addEventListener('abort', () => store.close(), { once: true });
  const tabletClock = new TabletClock(store, signal);
  await tabletClock.load();
  return { store, tabletClock };
};

export const begin = async (signal) => {
  const page = document.getElementById('referee');
  const { store, tabletClock } = await openTablet(signal);
  const record = await recordOf(store, page.dataset);
  await keepScore(page, store, tabletClock, record, signal);
  tabletClock.measure();
  keepPage(page.dataset.tablet);
  keepThings(page.dataset.tablet, store, wordsOf(page).flags);
};
