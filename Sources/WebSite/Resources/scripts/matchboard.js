// The board of a match from its rules, set-up and events: the JSON that the server would answer.
import { MatchLog } from './matchlog.js';
import { pointValuesOf, rulesOf, sideNames } from './matchrules.js';
import { periodSecondsOf } from './matchclock.js';
import { decisivePointOf, pointsTextOf } from './matchscore.js';

const timeText = (time) => (time === null || time === undefined ? null : new Date(time).toISOString());
const sideName = (side) => (side === null || side === undefined ? null : sideNames[side]);

/** The age in whole years on a day; both are texts like `1999-04-30`. */
export const ageOn = (day, birthDate) => {
  const [[year, ...date], [birthYear, ...birthday]] = [day, birthDate].map((text) => text.split('-').map(Number));
  return year - birthYear - (date[0] < birthday[0] || (date[0] === birthday[0] && date[1] < birthday[1]) ? 1 : 0);
};

const playerOf = (entrant, today) => ({
  id: entrant.id ?? null,
  name: entrant.name,
  shortName: entrant.shortName ?? entrant.name,
  country: entrant.country ?? null,
  gender: entrant.gender ?? null,
  age: entrant.birthDate ? ageOn(today, entrant.birthDate) : null,
  extra: entrant.extra ?? '',
  photo: entrant.id && entrant.photo ? `/api/v1/players/${entrant.id}/photo?v=${entrant.photo}` : null,
});

const clockOf = (state) => (state.clock ? {
  playedMilliseconds: state.clock.playedMilliseconds,
  runningSince: timeText(state.clock.runningSince),
  periodSeconds: periodSecondsOf(state),
  countsDown: state.rules.play.countsDown,
} : null);

/** The games that have ended, the winner's points first; those of the first side while nobody has won. */
const scoreOf = (state) => {
  const first = state.winner ?? 0;
  const ended = state.rules.play.kind !== 'periods' ? state.finished : state.isFinal ? [state.sides.map(({ points }) => points)] : [];
  return ended.map((points) => `${points[first]}-${points[1 - first]}`).join(', ');
};

/** The log of a set-up, with entries of the server. `setup.firstServer` has a side, `a` or `b`, and a player. */
export const logOf = (setup, entries = []) => {
  const { side, player } = setup.firstServer;
  const log = new MatchLog(rulesOf(setup.rules), { ...setup, firstServer: { side: sideNames.indexOf(side), player } });
  if (entries.length > 0) log.restoreAll(entries);
  return log;
};

/**
 * The board of a log.
 *
 * `setup` has the rules as in their file, modality, scoring, channel, sides with players, and the texts of the match;
 * `text(reason)` is a sentence about a conflict; `today` is the day by which ages are computed.
 */
export const boardOf = (setup, log, { match, today, text = (reason) => reason }) => {
  const { state } = log;
  const { rules } = state;
  return {
    match, channel: setup.channel, sequence: log.lastSequence, time: timeText(log.entries.at(-1)?.time), rules: rules.id,
    sports: rules.sport, names: rules.name, kind: rules.play.kind, pointValues: pointValuesOf(rules),
    modality: setup.modality, scoring: setup.scoring, phase: state.phase, game: state.game + 1,
    sides: state.sides.map((side, index) => ({
      players: setup.sides[index].map((entrant) => playerOf(entrant, today)),
      points: side.points, pointsText: pointsTextOf(state, index), games: side.games, won: side.won,
      timeOutsLeft: side.timeOutsLeft, appealsLeft: side.appealsLeft, cards: side.cards, decisive: decisivePointOf(state, index),
      serving: state.server?.side === index ? state.server.player : null,
    })),
    finished: state.finished,
    timeOut: state.timeOut && { side: sideName(state.timeOut.side), endsAt: timeText(state.timeOut.endsAt) },
    clock: clockOf(state), frozen: state.isFrozen, winner: sideName(state.winner), walkover: state.isWalkover,
    score: scoreOf(state), drawn: setup.isDrawn ?? false,
    drawSeed: setup.drawSeed ?? null, competition: setup.competition ?? '', stage: setup.stage ?? '',
    referee: setup.referee ?? '', startedAt: timeText(state.startedAt), gameStartedAt: timeText(state.gameStartedAt),
    endedAt: timeText(state.endedAt),
    conflicts: log.conflicts.map(({ sequence, reason }) => ({ sequence, reason, text: text(reason) })),
  };
};
