// The states of the match that a channel shows, and how they are drawn.
import { get } from './dom.js';
import { every, listen } from './page.js';
import { flagOf, photoOf, showsPhotos } from './playerimages.js';

/** How far back states are known at least, in seconds: further than a viewer of the live edge is behind. */
const shortest = 120;
const longest = 86400;
/** How often a channel without a match is asked for one, in milliseconds. */
const pollTime = 5000;
/** The longest name in large letters, in characters. */
const longestName = 20;
/** How long a board shows a match that has ended, in milliseconds. */
const resultTime = 120_000;
/** The most states of an answer. */
const answerSize = 1000;

const addressOf = (channel) => `/api/v1/channels/${encodeURIComponent(channel)}/scoreboard`;
const timed = (items) => items.map((board) => ({ board, time: board.time ? Date.parse(board.time) : -Infinity }));

/** The states of all matches on a channel in a span of time, such as that of a recording: `[{ board, time }]`. */
export const recordedScores = async (channel, from, seconds, signal) => {
  const end = from + seconds * 1000;
  let states = [];
  for (let start = from; start < end && !signal.aborted;) {
    const query = `from=${new Date(start).toISOString()}&seconds=${Math.min(longest, Math.ceil((end - start) / 1000))}`;
    const { items } = await get(`${addressOf(channel)}?${query}`);
    const known = new Set(states.map(({ board }) => `${board.match}/${board.sequence}`));
    const found = timed(items).filter(({ board }) => !known.has(`${board.match}/${board.sequence}`));
    states = [...states, ...found];
    if (items.length < answerSize || found.length === 0) break;
    start = found.at(-1).time;
  }
  return states;
};

/** The state that a board shows at a time; `undefined` if there is no match, or none any more. */
export const stateAt = (states, time) => {
  const found = states.findLast((state) => state.time <= time);
  const isOver = found?.board.endedAt && time > Date.parse(found.board.endedAt) + resultTime;
  return isOver ? undefined : found?.board;
};

/**
 * Follows the match of a channel.
 *
 * `onChange` is called when there are new states. `at(time)` is the state that belongs to a time in milliseconds since
 * 1970; `newest` is the last one.
 */
export class Scores {
  #states = [];
  #channel;
  #signal;
  #loading;
  #isStale = false;
  #listens = false;
  #reach = shortest;

  constructor(channel, onChange, signal) {
    [this.#channel, this.onChange, this.#signal] = [channel, onChange, signal];
    every(pollTime, () => { if (!this.#listens) this.load(); }, signal);
  }

  /** A connection of its own only while there is a match: a browser has few of them. */
  #listen() {
    if (this.#listens) return;
    this.#listens = true;
    listen(`/api/v1/events?types=score.changed&resource=channel/${encodeURIComponent(this.#channel)}`, (events) => {
      events.addEventListener('score.changed', () => this.load());
      // What happened while nobody listened.
      events.addEventListener('open', () => this.load());
    }, this.#signal);
  }

  /** Loads the states; one request at a time, and another one for what happens meanwhile. */
  async load() {
    if (this.#loading) { this.#isStale = true; return this.#loading; }
    this.#loading = this.#fetch();
    await this.#loading;
    this.#loading = undefined;
    if (this.#isStale && !this.#signal.aborted) { this.#isStale = false; await this.load(); }
    return undefined;
  }

  async #fetch() {
    try {
      const { items } = await get(`${addressOf(this.#channel)}?seconds=${this.#reach}`);
      if (this.#signal.aborted) return;
      this.#states = timed(items);
      if (items.length > 0) this.#listen();
      this.onChange();
    } catch { /* The next event, or the listener when it comes back, loads them again. */ }
  }

  get newest() { return this.#states.at(-1)?.board; }

  at(time) {
    const behind = (Date.now() - time) / 1000 + shortest;
    if (behind > this.#reach && this.#reach < longest) {
      this.#reach = Math.min(longest, Math.max(behind, this.#reach * 2));
      this.load();
    }
    return this.#states.findLast((state) => state.time <= time)?.board;
  }
}

const part = (name, className, ...children) => {
  const element = document.createElement(name);
  element.className = className;
  element.append(...children.filter((child) => child !== undefined));
  return element;
};

/** `1:02:03` or `2:03`. */
export const clock = (seconds) => {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
};

/** The time that the clock of a period shows, in seconds; `undefined` without one. */
export const periodTime = ({ clock: period }, now) => {
  if (!period) return undefined;
  const running = period.runningSince ? Math.max(0, now - Date.parse(period.runningSince)) : 0;
  const played = (period.playedMilliseconds + running) / 1000;
  return period.countsDown ? Math.ceil(Math.max(0, period.periodSeconds - played)) : played;
};

export const nameOf = (side, isShort) => side.players.map((player) => (isShort ? player.shortName : player.name)).join(' / ');

/** The line below a board: what the next point wins, a time-out, the result. */
export const situation = (board, words, now) => {
  const side = (letter) => nameOf(board.sides[letter === 'a' ? 0 : 1], true);
  if (board.phase === 'finished') return board.winner ? words.wins.replace('{name}', side(board.winner)) : words.draw;
  if (board.phase === 'abandoned') return words.abandoned;
  if (board.phase === 'ready') return words.soon;
  if (board.frozen) return words.review;
  if (board.timeOut) {
    const left = Math.ceil((Date.parse(board.timeOut.endsAt) - now) / 1000);
    return `${words.timeOut} · ${side(board.timeOut.side)}${left > 0 ? ` · ${clock(left)}` : ''}`;
  }
  if (board.phase === 'gameOver') return words.gameOver;
  const points = ['a', 'b'].filter((letter, index) => board.sides[index].decisive);
  return points.map((letter) => {
    const { decisive } = board.sides[letter === 'a' ? 0 : 1];
    return (decisive === 'match' ? words.matchPoint : words.gamePoint).replace('{name}', side(letter));
  }).join(' · ');
};

/** The flags of a side; one for players of the same country. */
const flagsOf = ({ players }, words) => [...new Set(players.map(({ country }) => country).filter(Boolean))].map((country) => flagOf(country, words));

/** A small board for a corner of the picture. */
export const drawSmall = (board, words, now) => {
  const shown = periodTime(board, now);
  const rows = board.sides.map((side, index) => part('div', 'b-side',
    part('span', 'b-serve', side.serving === null ? '' : '●'),
    part('span', 'b-name', ...flagsOf(side, words), nameOf(side, true)),
    ...(board.kind === 'periods' ? [] : [part('span', 'b-won', String(side.won))]),
    ...(board.kind === 'sets' ? [part('span', 'b-games', String(side.games))] : []),
    part('span', 'b-points', board.phase === 'finished' && board.kind !== 'periods' ? board.finished.map((game) => game[index]).join(' ') : side.pointsText)));
  const line = situation(board, words, now);
  return part('div', 'score-small', ...rows,
    shown === undefined ? undefined : part('div', 'b-time', `${board.game}. ${clock(shown)}`),
    line ? part('div', 'b-line', line) : undefined);
};

/** Whether the names of a side need smaller letters, so that the number keeps its place. */
const isLong = ({ players }) => players.length > 1 || players.some(({ name }) => [...name].length > longestName);

/** A board for a projector. */
export const drawLarge = (board, words, now) => {
  const sides = board.sides.map((side, index) => part('section', `b-side${side.serving === null ? '' : ' b-serves'}`,
    ...side.players.map((player, number) => part('div', `b-player${isLong(side) ? ' b-long' : ''}`,
      part('span', 'b-serve', side.serving === number ? '●' : ''),
      showsPhotos(board) ? photoOf(player) : undefined, part('span', 'b-name', player.name),
      player.country ? flagOf(player.country, words) : undefined,
      ...(player.extra ? [part('span', 'b-extra', player.extra)] : []))),
    part('div', 'b-points', side.pointsText),
    part('div', 'b-facts',
      ...(board.kind === 'periods' ? [] : [part('span', 'b-won', `${words.won} ${side.won}`)]),
      ...(board.kind === 'sets' ? [part('span', 'b-games', `${words.games} ${side.games}`)] : []),
      part('span', 'b-left', `${words.timeOuts} ${side.timeOutsLeft}`),
      part('span', 'b-left', `${words.appeals} ${side.appealsLeft}`),
      ...side.cards.map((card) => part('span', `b-card b-${card}`))),
    part('div', 'b-past', board.finished.map((game) => game[index]).join('  '))));
  const shown = periodTime(board, now);
  const started = board.startedAt ? ((board.endedAt ? Date.parse(board.endedAt) : now) - Date.parse(board.startedAt)) / 1000 : undefined;
  const head = [board.competition, board.stage, board.sports[document.documentElement.lang] || board.sports.en].filter(Boolean).join(' · ');
  const line = situation(board, words, now);
  return part('div', `score-large${board.timeOut ? ' b-pauses' : ''}`,
    part('header', 'b-head', part('span', '', head), part('span', 'b-time', shown === undefined ? (started === undefined ? '' : clock(started)) : `${board.game}. ${clock(shown)}`)),
    ...sides, part('p', 'b-line', line));
};

/** Shows a drawing in a place, if it is another one. */
export const show = (place, drawing) => {
  if (!drawing) { place.replaceChildren(); return; }
  const old = place.firstElementChild;
  if (old && old.isEqualNode(drawing)) return;
  // Images that are there already stay, so that a clock that runs does not load them again.
  const images = [...place.querySelectorAll('img')];
  for (const image of drawing.querySelectorAll('img')) {
    const index = images.findIndex((known) => known.isEqualNode(image));
    if (index >= 0) image.replaceWith(...images.splice(index, 1));
  }
  place.replaceChildren(drawing);
};

/** The date of the frame that the player in an element shows, in milliseconds since 1970; `undefined` without one. */
export const dateOf = (root) => {
  const date = root.antenaPlayer?.engine?.date;
  return typeof date === 'number' ? date : date?.getTime();
};

/** The words of a page for boards. */
export const wordsOf = (element) => JSON.parse(element.dataset.words);
