// The phases of a match, time-outs and appeals.
import { allowanceIn, limits, refuse, sideNames } from './matchrules.js';

export const requireStarted = (state) => {
  if (state.phase === 'ready') refuse('notStarted');
  if (state.isFinal) refuse('isOver');
};

/** Play that goes on ends a time-out. */
export const requirePlaying = (state) => {
  requireStarted(state);
  if (state.phase === 'gameOver') refuse('gameIsOver');
  if (state.phase === 'timeOut') endTimeOut(state);
};

export const start = (state, time) => {
  if (state.phase !== 'ready') refuse(state.isFinal ? 'isOver' : 'hasStarted');
  state.phase = 'playing';
  state.startedAt = time;
  state.gameStartedAt = time;
};

/** The time that has been played of the period, in milliseconds. */
export const playedMilliseconds = ({ clock }, time) => {
  if (!clock) return 0;
  const running = clock.runningSince === null ? 0 : Math.max(0, time - clock.runningSince);
  return Math.min(clock.playedMilliseconds + running, limits.periodSeconds * 1000);
};

export const stopClock = (state, time) => {
  if (!state.clock || state.clock.runningSince === null) return;
  state.clock = { playedMilliseconds: playedMilliseconds(state, time), runningSince: null };
};

/** Ends the match: `phase` is `finished` or `abandoned`. */
export const end = (state, phase, time) => {
  state.phase = phase;
  state.endedAt = time;
  state.timeOut = null;
  state.isFrozen = false;
  stopClock(state, time);
};

/** Ends the match with a winner, or with `undefined` for none. */
export const finish = (state, winner, time) => {
  state.winner = winner ?? null;
  end(state, 'finished', time);
};

/** Gives each side what the rules allow from this game on. */
export const giveAllowances = (state) => {
  const timeOuts = allowanceIn(state.rules.timeOuts, state.game);
  const appeals = allowanceIn(state.rules.appeals, state.game);
  for (const side of state.sides) {
    if (timeOuts?.isNew) side.timeOutsLeft = timeOuts.value.count;
    if (appeals?.isNew) side.appealsLeft = appeals.value.count;
  }
};

export const beginTimeOut = (state, side, time) => {
  requireStarted(state);
  if (state.phase === 'timeOut') refuse('timeOutRuns');
  if (state.phase === 'gameOver') refuse('gameIsOver');
  const allowance = allowanceIn(state.rules.timeOuts, state.game)?.value;
  if (!allowance || state.sides[side].timeOutsLeft <= 0) refuse('noTimeOutsLeft');
  state.sides[side].timeOutsLeft -= 1;
  state.timeOut = { side, endsAt: time + (allowance.seconds ?? 0) * 1000 };
  state.phase = 'timeOut';
  stopClock(state, time);
};

export const endTimeOut = (state) => {
  if (state.phase !== 'timeOut') refuse('noTimeOutRuns');
  state.phase = 'playing';
  state.timeOut = null;
};

export const appeal = (state, side, outcome) => {
  requireStarted(state);
  if (state.sides[side].appealsLeft <= 0) refuse('noAppealsLeft');
  if (outcome !== 'upheld') state.sides[side].appealsLeft -= 1;
};

/** The index of the side that an action names. */
export const sideOf = ({ side }) => sideNames.indexOf(side);
