// The state of a match, and the actions that change it, as the server carries them out. Nothing here knows a page.
import { endPeriod, runClock, setClock } from './matchclock.js';
import { appeal, beginTimeOut, end, endTimeOut, finish, giveAllowances, requireStarted, sideOf, start } from './matchphases.js';
import { limits, MatchDamage, refuse } from './matchrules.js';
import { addPoint, beginNextGame, setScore, takeBack } from './matchscore.js';
import { firstServerIsLast, loseServe, setServer } from './matchserve.js';

const newSide = () => ({ points: 0, games: 0, won: 0, timeOutsLeft: 0, appealsLeft: 0, cards: [] });

/** Sides are 0 and 1; `winner`, `server` and `timeOut` are `null` for none. Times are milliseconds since 1970. */
export class MatchState {
  /** The state before the first event of a set-up. */
  static beginning(rules, { scoring, modality, firstServer }) {
    const state = new MatchState();
    Object.assign(state, {
      rules, scoring, modality, phase: 'ready', sides: [newSide(), newSide()], game: 0, finished: [], timeOut: null,
      clock: null, isFrozen: false, startedAt: null, gameStartedAt: null, endedAt: null, winner: null,
      isWalkover: false, gameServer: firstServer, nextPlayer: [0, 0], rightPlayer: [0, 0], tieBreakServer: 0,
      server: rules.serveOrder === 'none' ? null : firstServer,
    });
    state.nextPlayer[firstServer.side] = firstServer.player;
    state.rightPlayer[firstServer.side] = firstServer.player;
    state.isLastServer = firstServerIsLast(state);
    if (rules.play.kind === 'periods') state.clock = { playedMilliseconds: 0, runningSince: null };
    giveAllowances(state);
    return state;
  }

  get isFinal() { return this.phase === 'finished' || this.phase === 'abandoned'; }

  /** Lists and servers are replaced, never changed, so that copies may share them. */
  copy() {
    const copy = Object.assign(new MatchState(), this);
    copy.sides = this.sides.map((side) => ({ ...side }));
    copy.nextPlayer = [...this.nextPlayer];
    copy.rightPlayer = [...this.rightPlayer];
    return copy;
  }

  /** The state after an action; throws `MatchConflict` if the action is not possible. */
  after(action, time) {
    const next = this.copy();
    perform[action.type](next, action, time);
    return next;
  }
}

const perform = {
  start: (state, _, time) => start(state, time),
  point: (state, action, time) => addPoint(state, sideOf(action), action.count ?? 1, time),
  correct: (state, action) => takeBack(state, sideOf(action), action.count ?? 1),
  changeServer: (state) => {
    requireStarted(state);
    if (!state.server) refuse('nobodyServes');
    loseServe(state);
  },
  setServer,
  timeOut: (state, action, time) => beginTimeOut(state, sideOf(action), time),
  endTimeOut,
  appeal: (state, action) => appeal(state, sideOf(action), action.outcome ?? 'used'),
  card: (state, action) => {
    requireStarted(state);
    const side = state.sides[sideOf(action)];
    side.cards = [...side.cards, action.card];
  },
  injury: requireStarted,
  freeze: (state) => { state.isFrozen = true; },
  unfreeze: (state) => { state.isFrozen = false; },
  setState: (state, action, time) => setScore(state, { finished: action.finished ?? [], points: action.points, games: action.games ?? [0, 0] }, time),
  nextGame: (state, _, time) => beginNextGame(state, time),
  endPeriod: (state, _, time) => endPeriod(state, time),
  startClock: (state, _, time) => runClock(state, true, time),
  stopClock: (state, _, time) => runClock(state, false, time),
  setClock: (state, action, time) => setClock(state, action.seconds, time),
  note: () => {},
  walkover: (state, action, time) => {
    if (state.isFinal) refuse('isOver');
    state.isWalkover = true;
    finish(state, sideOf(action), time);
  },
  abandon: (state, _, time) => {
    if (state.isFinal) refuse('isOver');
    end(state, 'abandoned', time);
  },
};

// MARK: Actions that the server would not understand

const isInteger = (value, low, high) => Number.isInteger(value) && value >= low && value <= high;
const require = (field, isRight) => { if (!isRight) throw new MatchDamage(field); };
const requireSide = ({ side }) => require('side', side === 'a' || side === 'b');
const requirePlayer = ({ player }) => require('player', player === undefined || player === null || isInteger(player, 0, 1));
const requireCount = (action) => {
  requireSide(action);
  require('count', action.count === undefined || isInteger(action.count, 1, 9));
};
const isPair = (pair) => Array.isArray(pair) && pair.length === 2 && pair.every((value) => isInteger(value, 0, limits.points));
const requirements = {
  point: requireCount,
  correct: requireCount,
  setServer: (action) => { requireSide(action); requirePlayer(action); },
  timeOut: requireSide,
  appeal: (action) => {
    requireSide(action);
    require('outcome', [undefined, 'used', 'upheld', 'rejected'].includes(action.outcome));
  },
  card: (action) => {
    requireSide(action);
    requirePlayer(action);
    require('card', ['yellow', 'red', 'black', 'white'].includes(action.card));
  },
  injury: (action) => { requireSide(action); requirePlayer(action); },
  setState: ({ points, finished, games }) => {
    require('points', isPair(points));
    require('finished', finished === undefined || (Array.isArray(finished) && finished.every(isPair)));
    require('games', games === undefined || isPair(games));
  },
  setClock: ({ seconds }) => require('seconds', isInteger(seconds, 1, limits.periodSeconds)),
  note: ({ text }) => require('text', typeof text === 'string' && text !== '' && text.length <= limits.note),
  walkover: requireSide,
};

/** Throws `MatchDamage` for an action that the server would refuse whatever the score is. */
export const checkAction = (action) => {
  require('type', Object.hasOwn(perform, action.type));
  requirements[action.type]?.(action);
};
