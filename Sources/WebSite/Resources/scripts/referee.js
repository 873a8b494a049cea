// The page on which a referee keeps the score: by touch, keys and buttons.
import { every } from './page.js';
import { clock, nameOf, periodTime, situation, wordsOf } from './scores.js';

/** The same action again within so many milliseconds is an accident. */
const repeatTime = 350;
/** A press on a count that lasts longer uses a time-out or an appeal. */
const longPress = 1000;
/** Two taps with two fingers within this time change the server. */
const doubleTap = 400;
/** The way of a finger that counts as a swipe, in pixels. */
const swipeWay = 40;
const retryTime = 2000;

export const begin = (signal) => {
  const page = document.getElementById('referee');
  const words = wordsOf(page);
  const address = `/api/v1/matches/${page.dataset.match}`;
  const queueKey = `antena:score:${page.dataset.match}`;
  const read = () => { try { return JSON.parse(localStorage.getItem(queueKey)) || []; } catch { return []; } };
  let queue = read();
  let board;
  let isSending = false;
  // One at a time after a refusal, so that only what is refused goes.
  let batchSize = 100;
  let lastAction = { name: '', time: -Infinity };
  const one = (selector, root = page) => root.querySelector(selector);
  const all = (selector) => [...page.querySelectorAll(selector)];
  const message = one('.message');
  const setting = (name) => one(`[name=${name}]`);

  // MARK: What is shown

  const say = (text) => {
    if (!setting('speech').checked || !globalThis.speechSynthesis) return;
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = document.documentElement.lang;
    speechSynthesis.speak(utterance);
  };
  const tell = (text, isError) => {
    message.textContent = text;
    message.classList.toggle('error', Boolean(isError));
  };
  const put = (element, text) => { if (element.textContent !== text) element.textContent = text; };
  const draw = () => {
    if (!board) return;
    const now = Date.now();
    page.dataset.phase = board.phase;
    page.dataset.kind = board.kind;
    all('.half').forEach((half, index) => {
      const side = board.sides[index];
      put(one('.name', half), nameOf(side, false));
      put(one('.points', half), side.pointsText);
      put(one('.won b', half), String(side.won));
      put(one('.games b', half), String(side.games));
      put(one('[data-count=timeOut] b', half), String(side.timeOutsLeft));
      put(one('[data-count=appeal] b', half), String(side.appealsLeft));
      put(one('.past', half), board.finished.map((game) => game[index]).join('  '));
      half.classList.toggle('serves', side.serving !== null);
      put(one('.server', half), side.serving === null ? '' : `● ${side.players[side.serving]?.shortName ?? ''}`);
    });
    const shown = periodTime(board, now);
    put(one('.clock'), shown === undefined ? '' : clock(shown));
    put(one('.situation'), situation({ ...board, frozen: false }, words, now));
    one('[data-action=freeze]').setAttribute('aria-pressed', String(board.frozen));
    const conflicts = board.conflicts.map(({ sequence, reason }) => `${sequence}: ${words.conflicts[reason] || reason}`);
    one('.conflicts').hidden = conflicts.length === 0;
    put(one('.conflicts p'), conflicts.join(' · '));
    one('.pending').hidden = queue.length === 0;
    put(one('.pending'), words.pending.replace('{count}', String(queue.length)));
    for (const button of all('[data-when]')) button.hidden = !button.dataset.when.split(' ').includes(board.phase);
  };
  const announce = (before) => {
    if (!before || before.phase === board.phase) return;
    if (board.phase === 'gameOver' || board.phase === 'finished') {
      say(`${situation(board, words, Date.now())}. ${board.finished.at(-1)?.join(' – ') ?? ''}`);
    }
  };

  // MARK: Events

  const keep = () => {
    try { localStorage.setItem(queueKey, JSON.stringify(queue)); } catch { tell(words.notKept, true); }
    draw();
  };
  /** Delivers what waits, in order. What the server refuses is shown, and goes. */
  const deliver = async () => {
    if (isSending || queue.length === 0) return;
    isSending = true;
    const batch = queue.slice(0, batchSize);
    try {
      const answer = await fetch(`${address}/events`, {
        method: 'POST', headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': document.body.dataset.csrf || '' },
        body: JSON.stringify({ events: batch, keepConflicts: batch.length > 1 }),
      });
      const body = await answer.json();
      if (answer.ok) {
        const before = board;
        board = body;
        queue = queue.slice(batch.length);
        if (queue.length === 0) batchSize = 100;
        tell('');
        announce(before);
      } else if (answer.status >= 400 && answer.status < 500 && batch.length > 1 && answer.status !== 401 && answer.status !== 403) {
        batchSize = 1;
      } else if (answer.status === 409 || answer.status === 422) {
        queue = queue.slice(batch.length);
        tell(words.conflicts[body.fields?.[0]] || body.detail, true);
      } else {
        // A session that has ended, or a server that is away: nothing is lost.
        tell(answer.status === 401 || answer.status === 403 ? words.logIn : words.away, true);
      }
      keep();
    } catch {
      tell(words.away, true);
    }
    isSending = false;
    if (queue.length > 0 && message.textContent === '') deliver();
  };
  const act = (event, name = JSON.stringify(event)) => {
    const time = performance.now();
    if (lastAction.name === name && time - lastAction.time < repeatTime) return;
    lastAction = { name, time };
    navigator.vibrate?.(20);
    queue.push({ ...event, id: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}`, time: new Date().toISOString() });
    keep();
    deliver();
  };
  const load = async () => {
    if (queue.length > 0) { deliver(); return; }
    try {
      const answer = await fetch(address, { headers: { Accept: 'application/json' } });
      if (!answer.ok || queue.length > 0) return;
      board = await answer.json();
      draw();
    } catch { tell(words.away, true); }
  };

  const sideOf = (element) => element.closest('.half').dataset.side;
  const actions = {
    start: () => act({ type: 'start' }),
    nextGame: () => act({ type: 'nextGame' }),
    endPeriod: () => act({ type: 'endPeriod' }),
    clock: () => act({ type: board?.clock?.runningSince ? 'stopClock' : 'startClock' }, 'clock'),
    server: () => act({ type: 'changeServer' }),
    endTimeOut: () => act({ type: 'endTimeOut' }),
    undo: () => act({ type: 'undo' }),
    freeze: () => act({ type: board?.frozen ? 'unfreeze' : 'freeze' }, 'freeze'),
    abandon: () => { if (confirm(words.askAbandon)) act({ type: 'abandon' }); },
    note: () => { const text = prompt(words.note); if (text) act({ type: 'note', text }); },
  };
  page.addEventListener('click', ({ target }) => {
    const button = target.closest('button[data-action]');
    if (button) { actions[button.dataset.action]?.(); return; }
    const value = target.closest('button[data-give]');
    if (value) act({ type: value.dataset.give, side: sideOf(value), ...(value.dataset.value ? { count: Number(value.dataset.value) } : {}) });
    const use = target.closest('button[data-use]');
    if (use) act({ type: use.dataset.use, side: sideOf(use) });
  }, { signal });

  // MARK: Touch

  let touch;
  let lastDouble = -Infinity;
  const number = (target) => target.closest?.('.points');
  page.addEventListener('pointerdown', (event) => {
    const count = event.target.closest('[data-count]');
    touch = { x: event.clientX, y: event.clientY, number: number(event.target), target: event.target };
    if (count && event.isPrimary) {
      const use = { type: count.dataset.count, side: sideOf(count) };
      touch.timer = setTimeout(() => act(use), longPress);
    }
  }, { signal });
  const release = (event) => {
    if (!touch) return;
    clearTimeout(touch.timer);
    const { number: shown, x, y } = touch;
    touch = undefined;
    if (!shown || event.type === 'pointercancel') return;
    const [across, down] = [event.clientX - x, event.clientY - y];
    if (Math.abs(down) >= swipeWay && Math.abs(down) > Math.abs(across)) {
      act({ type: down < 0 ? 'point' : 'correct', side: sideOf(shown) });
    } else if (setting('tap').checked && Math.abs(down) < 10 && Math.abs(across) < 10) {
      act({ type: 'point', side: sideOf(shown) });
    }
  };
  page.addEventListener('pointerup', release, { signal });
  page.addEventListener('pointercancel', release, { signal });
  page.addEventListener('touchstart', (event) => {
    if (event.touches.length !== 2) return;
    event.preventDefault();
    if (touch) { clearTimeout(touch.timer); touch = undefined; }
    if (event.timeStamp - lastDouble < doubleTap) { actions.server(); lastDouble = -Infinity; } else lastDouble = event.timeStamp;
  }, { signal, passive: false });

  // MARK: Keys

  const keys = {
    q: () => act({ type: 'point', side: 'a' }), a: () => act({ type: 'correct', side: 'a' }),
    p: () => act({ type: 'point', side: 'b' }), l: () => act({ type: 'correct', side: 'b' }),
    w: () => act({ type: 'timeOut', side: 'a' }), o: () => act({ type: 'timeOut', side: 'b' }),
    e: () => act({ type: 'appeal', side: 'a' }), i: () => act({ type: 'appeal', side: 'b' }),
    s: actions.server, u: actions.undo, n: actions.nextGame, f: actions.freeze, c: actions.clock,
  };
  document.addEventListener('keydown', (event) => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select')) return;
    keys[event.key.toLowerCase()]?.();
  }, { signal });

  for (const input of all('input[type=checkbox]')) {
    const name = `antena:referee:${input.name}`;
    try {
      const known = localStorage.getItem(name);
      if (known !== null) input.checked = known === 'true';
      input.addEventListener('change', () => localStorage.setItem(name, String(input.checked)), { signal });
    } catch { /* The browser keeps nothing. */ }
  }
  load();
  every(1000, draw, signal);
  every(retryTime, load, signal);
};
