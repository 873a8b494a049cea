// The clock of a sport with periods. Times are milliseconds since 1970.
import { finish, requirePlaying, requireStarted, stopClock } from './matchphases.js';
import { leaderOf, limits, refuse } from './matchrules.js';

/** The length of the period, in seconds; `undefined` in other sports. */
export const periodSecondsOf = ({ rules: { play }, game }) => {
  if (play.kind !== 'periods') return undefined;
  return game < play.count ? play.seconds : play.overtimeSeconds ?? play.seconds;
};

export const runClock = (state, runs, time) => {
  if (!state.clock) refuse('hasNoClock');
  requirePlaying(state);
  if (!runs) stopClock(state, time);
  else if (state.clock.runningSince === null) state.clock = { ...state.clock, runningSince: time };
};

export const setClock = (state, seconds, time) => {
  const { play } = state.rules;
  const length = periodSecondsOf(state);
  if (length === undefined) refuse('hasNoClock');
  requireStarted(state);
  if (seconds < 0 || seconds > limits.periodSeconds) refuse('implausibleScore');
  const played = play.countsDown ? length - seconds : seconds;
  if (played < 0) refuse('implausibleScore');
  state.clock = { playedMilliseconds: played * 1000, runningSince: state.clock.runningSince === null ? null : time };
};

export const endPeriod = (state, time) => {
  const { play } = state.rules;
  if (play.kind !== 'periods') refuse('hasNoClock');
  requirePlaying(state);
  stopClock(state, time);
  const points = state.sides.map((side) => side.points);
  state.finished = [...state.finished, points.map((now, side) => now - state.finished.reduce((sum, period) => sum + period[side], 0))];
  const added = state.game + 1 - play.count;
  if (added < 0) { state.phase = 'gameOver'; return; }
  const leader = leaderOf(points);
  const mayGoOn = play.overtimeSeconds !== null && added < (play.overtimeCount ?? Infinity);
  if (leader === undefined && mayGoOn && state.finished.length < limits.listCount * 2) state.phase = 'gameOver';
  else finish(state, leader, time);
};
