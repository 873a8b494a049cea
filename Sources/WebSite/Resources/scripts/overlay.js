// The score over the picture of a channel or a recording, in step with it: the state whose time the frame that is shown has.
import { every } from './page.js';
import { dateOf, drawSmall, nameOf, recordedScores, Scores, show, stateAt, wordsOf } from './scores.js';
import { hidesResults, noteWatched } from './spoilers.js';

/** The time before a point that somebody sees who jumps to it, in seconds. */
const lead = 8;
/** From so many milliseconds behind on, a match before the newest one may be on. */
const farBack = 60_000;
/** The time around a moment of the time shift for which earlier matches are loaded, in seconds. */
const [spanBefore, spanAfter] = [600, 1800];

/** Notes each match whose end was shown while the video played, for a visitor whose lists leave results out. */
const watching = (root) => {
  const noted = new Set();
  let hides;
  const note = async (match) => {
    hides ??= hidesResults();
    if (await hides) noteWatched(match).catch(() => noted.delete(match));
  };
  return (board) => {
    if (board?.phase !== 'finished' || noted.has(board.match) || root.querySelector('video')?.paused) return;
    noted.add(board.match);
    note(board.match);
  };
};

/** Draws by frame where the browser tells of each, so that the score changes with the picture. */
const follow = (root, redraw, signal) => {
  const video = root.querySelector('video');
  if (video?.requestVideoFrameCallback) {
    const step = () => {
      if (signal.aborted) return;
      redraw();
      video.requestVideoFrameCallback(step);
    };
    video.requestVideoFrameCallback(step);
  }
  every(250, redraw, signal);
};

/** The matches that were on before the one that the channel shows, for somebody who goes far back. */
const earlierScores = (channel, signal) => {
  let span = { from: Infinity, to: -Infinity, states: [] };
  let isLoading = false;
  const load = async (time) => {
    isLoading = true;
    const from = time - spanBefore * 1000;
    try {
      const states = await recordedScores(channel, from, spanBefore + spanAfter, signal);
      // What is still going on belongs to the newest match, which is known by itself.
      span = { from, to: Math.min(time + spanAfter * 1000, Date.now()), states };
    } catch { /* The next look tries again. */ }
    isLoading = false;
  };
  return (time) => {
    if (time >= span.from && time < span.to) return stateAt(span.states, time);
    if (!isLoading) load(time);
    return undefined;
  };
};

const overChannel = (root, place, words, signal) => {
  const earlier = earlierScores(root.dataset.score, signal);
  const boardAt = (time) => {
    const board = scores.at(time);
    if (board && board.phase !== 'ready') return board;
    return Date.now() - time > farBack ? earlier(time) : undefined;
  };
  const watched = watching(root);
  const redraw = () => {
    const time = dateOf(root);
    const board = Number.isFinite(time) ? boardAt(time) : undefined;
    watched(board);
    show(place, board ? drawSmall(board, words, time) : undefined);
  };
  const scores = new Scores(root.dataset.score, redraw, signal);
  scores.load();
  follow(root, redraw, signal);
};

/** The points and the beginnings of games, each with the date from which somebody watches it: `[{ date, name, isGame }]`. */
const marksOf = (states, words) => {
  let before;
  const marks = [];
  for (const { board, time } of states) {
    const isOther = before?.match !== board.match;
    const score = board.sides.map((side) => side.pointsText).join('–');
    const hasChanged = !isOther && board.sides.some((side, index) => side.points !== before.sides[index].points);
    if (board.phase === 'playing' && (isOther || board.game !== before.game || before.phase === 'ready')) {
      const names = board.sides.map((side) => nameOf(side, true)).join(' – ');
      marks.push({ date: time, name: `${names} · ${words.game.replace('{number}', String(board.game))}`, isGame: true });
    } else if (hasChanged) marks.push({ date: time - lead * 1000, name: score });
    before = board;
  }
  return marks;
};

const overRecording = (root, place, words, signal) => {
  let states;
  const load = async () => {
    // The player's script may come later.
    const player = root.antenaPlayer;
    if (!player) return;
    const { engine, media } = player;
    const date = (time) => (engine.dateAt?.(time) ?? dateOf(root) + (time - media.currentTime) * 1000);
    if (states || !engine || !Number.isFinite(dateOf(root)) || !Number.isFinite(media.duration)) return;
    states = [];
    const [start, end] = [date(0), date(media.duration)];
    try {
      states = await recordedScores(root.dataset.score, start, (end - start) / 1000, signal);
    } catch { /* There are no scores, or not for this visitor. */ }
    if (signal.aborted) return;
    // A recording that was interrupted has dates that do not go with its time.
    const marks = marksOf(states, words)
      .map((mark) => ({ ...mark, start: Math.max(0, engine.timeAt?.(mark.date) ?? (mark.date - start) / 1000) }))
      .filter((mark) => mark.start <= media.duration);
    if (marks.length === 0) return;
    // How many points and games there are would tell the result.
    if (!await hidesResults()) player.emit('marked', marks);
    addJumps(root, player, marks, words, signal);
  };
  const watched = watching(root);
  follow(root, () => {
    load();
    const time = dateOf(root);
    const board = states && Number.isFinite(time) ? stateAt(states, time) : undefined;
    watched(board);
    show(place, board && board.phase !== 'ready' ? drawSmall(board, words, time) : undefined);
  }, signal);
};

/** Buttons from point to point. */
const addJumps = (root, player, marks, words, signal) => {
  const jump = (find) => () => {
    const mark = find(player.media.currentTime);
    if (mark) player.seek(mark.start);
  };
  const button = (text, find) => {
    const made = Object.assign(document.createElement('button'), { type: 'button', className: 'second', textContent: text });
    made.addEventListener('click', jump(find), { signal });
    return made;
  };
  // Somebody who has just jumped wants the point before that one.
  const bar = Object.assign(document.createElement('p'), { className: 'score-jumps' });
  bar.append(
    button(words.pointBefore, (time) => marks.findLast(({ start }) => start < time - 2)),
    button(words.pointAfter, (time) => marks.find(({ start }) => start > time + 0.5)),
  );
  root.after(bar);
  signal.addEventListener('abort', () => bar.remove(), { once: true });
};

export const begin = (signal) => {
  for (const root of document.querySelectorAll('.player[data-score]')) {
    const words = wordsOf(root);
    const place = document.createElement('div');
    place.className = 'score-overlay';
    root.append(place);
    if (root.hasAttribute('data-recorded')) overRecording(root, place, words, signal);
    else overChannel(root, place, words, signal);
    signal.addEventListener('abort', () => place.remove(), { once: true });
  }
};
