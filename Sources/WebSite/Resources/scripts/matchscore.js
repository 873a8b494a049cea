// Points, games and the end of a match.
import { finish, giveAllowances, requirePlaying, requireStarted } from './matchphases.js';
import { entryOf, leaderOf, limits, otherSide, refuse } from './matchrules.js';
import { chooseFirstServer, loseServe, serveAfterRally, serveNextTennisGame, serveWithinTieBreak } from './matchserve.js';

const pairOf = (state, name) => state.sides.map((side) => side[name]);

/** Whether a tie-break is played. */
export const isTieBreak = ({ rules: { play }, sides }) => play.kind === 'sets' && sides.every(({ games }) => games === play.gamesPerSet);

/** The side that has won the game with these points; `undefined` while none has. */
const winnerOf = (points, target, lead, cap) => {
  const leader = leaderOf(points);
  if (leader === undefined) return undefined;
  const [high, low] = [points[leader], points[otherSide(leader)]];
  if (cap !== null && high >= cap) return leader;
  return high >= target && high - low >= lead ? leader : undefined;
};

const conclude = (state, score, winner, needed, time) => {
  state.finished = [...state.finished, score];
  state.sides[winner].won += 1;
  if (state.sides[winner].won >= needed) finish(state, winner, time);
  else state.phase = 'gameOver';
};

const concludeTennis = (state, play, time) => {
  const wasTieBreak = isTieBreak(state);
  const target = wasTieBreak ? entryOf(play.tieBreakTargets, state.game) ?? 7 : 4;
  const winner = winnerOf(pairOf(state, 'points'), target, 2, null);
  if (winner === undefined) {
    if (wasTieBreak) serveWithinTieBreak(state);
    return;
  }
  state.sides[winner].games += 1;
  for (const side of state.sides) side.points = 0;
  serveNextTennisGame(state, wasTieBreak, isTieBreak(state));
  const games = pairOf(state, 'games');
  const won = wasTieBreak ? winner : winnerOf(games, play.gamesPerSet, 2, null);
  if (won !== undefined) conclude(state, games, won, play.setsToWin, time);
};

const concludeGame = (state, time) => {
  const { play } = state.rules;
  if (play.kind === 'sets') concludeTennis(state, play, time);
  if (play.kind !== 'games') return;
  const points = pairOf(state, 'points');
  const winner = winnerOf(points, entryOf(play.targets, state.game) ?? 1, play.lead, play.cap);
  if (winner !== undefined) conclude(state, points, winner, play.gamesToWin, time);
};

export const addPoint = (state, side, count, time) => {
  requirePlaying(state);
  const { play } = state.rules;
  if (play.kind === 'periods') {
    if (!play.pointValues.includes(count) || state.sides[side].points + count > limits.points) refuse('implausibleScore');
    state.sides[side].points += count;
    return;
  }
  if (count !== 1) refuse('implausibleScore');
  // Only the serving side scores; the other one wins the serve.
  if (state.scoring === 'sideOut' && state.server && state.server.side !== side) { loseServe(state); return; }
  state.sides[side].points += 1;
  if (state.scoring === 'rally') serveAfterRally(state, side);
  concludeGame(state, time);
};

/** Goes back to the game that has just ended; its points stand, and the one that ended it is taken back. */
const reopenGame = (state) => {
  const last = state.finished.at(-1);
  if (state.rules.play.kind !== 'games' || !last) refuse('gameIsOver');
  state.finished = state.finished.slice(0, -1);
  const leader = leaderOf(last);
  if (leader !== undefined) state.sides[leader].won -= 1;
  state.sides.forEach((side, index) => { side.points = last[index]; });
  state.phase = 'playing';
};

export const takeBack = (state, side, count) => {
  requireStarted(state);
  if (state.rules.play.kind !== 'periods') {
    if (count !== 1) refuse('implausibleScore');
    if (state.phase === 'gameOver') reopenGame(state);
  }
  if (count <= 0 || state.sides[side].points < count) refuse('noPointsToTakeBack');
  state.sides[side].points -= count;
};

/** The games, or sets, that win the match; `Infinity` in sports with periods. */
const neededOf = ({ play }) => (play.kind === 'games' ? play.gamesToWin : play.kind === 'sets' ? play.setsToWin : Infinity);

export const beginNextGame = (state, time) => {
  requireStarted(state);
  if (state.phase !== 'gameOver') refuse('gameIsNotOver');
  const last = state.finished.at(-1);
  state.game += 1;
  giveAllowances(state);
  const needed = neededOf(state.rules);
  chooseFirstServer(state, last && leaderOf(last), state.sides.every(({ won }) => won === needed - 1));
  if (state.rules.play.kind === 'periods') state.clock = { playedMilliseconds: 0, runningSince: null };
  else for (const side of state.sides) Object.assign(side, { points: 0, games: 0 });
  state.phase = 'playing';
  state.gameStartedAt = time;
};

/** The points of a side as they are shown: 15, 30, 40 and advantage in a game of tennis. */
export const pointsTextOf = (state, side) => {
  const [mine, other] = [state.sides[side].points, state.sides[otherSide(side)].points];
  if (state.rules.play.kind !== 'sets' || isTieBreak(state)) return String(mine);
  if (mine >= 3 && other >= 3) return mine > other ? 'Ad' : '40';
  return ['0', '15', '30', '40'][Math.min(Math.max(mine, 0), 3)];
};

/** What one more point of a side would win: `game`, `match`, or `null`. Where one point wins a game, both can have one. */
export const decisivePointOf = (state, side) => {
  if ((state.phase !== 'playing' && state.phase !== 'timeOut') || state.rules.play.kind === 'periods') return null;
  if (state.scoring === 'sideOut' && state.server && state.server.side !== side) return null;
  const next = state.copy();
  Object.assign(next, { phase: 'playing', timeOut: null });
  next.sides[side].points += 1;
  concludeGame(next, state.startedAt ?? 0);
  if (next.phase === 'finished') return 'match';
  return next.phase === 'gameOver' || next.sides.some(({ games }, index) => games !== state.sides[index].games) ? 'game' : null;
};

/** Enters a whole score. */
export const setScore = (state, { finished, points, games }, time) => {
  if (state.phase === 'abandoned') refuse('isOver');
  if (state.phase === 'ready') refuse('notStarted');
  const isWithin = [...finished, points, games].flat().every((value) => value >= 0 && value <= limits.points);
  if (!isWithin || finished.length > limits.listCount * 2) refuse('implausibleScore');
  const needed = neededOf(state.rules);
  const won = [0, 0];
  if (needed < Infinity) {
    for (const result of finished) {
      const leader = leaderOf(result);
      if (leader === undefined || won.some((count) => count >= needed)) refuse('implausibleScore');
      won[leader] += 1;
    }
  }
  const wasGame = state.game;
  state.finished = finished;
  state.game = finished.length;
  state.sides.forEach((side, index) => Object.assign(side, { won: won[index], points: points[index], games: games[index] }));
  Object.assign(state, { phase: 'playing', timeOut: null, winner: null, endedAt: null });
  if (state.game !== wasGame) giveAllowances(state);
  const winner = won.findIndex((count) => count >= needed);
  if (winner >= 0) {
    state.game = Math.max(0, finished.length - 1);
    finish(state, winner, time);
  } else if (needed < Infinity) {
    concludeGame(state, time);
  }
};
