// The rules of a match, read from their file as the server reads them. What a file leaves out gets its standard.

/** Limits that the server has as well. */
export const limits = { points: 999, listCount: 9, periodSeconds: 7200, entries: 5000, note: 500 };

/** An action that the state does not allow; `reason` is the server's name for it. */
export class MatchConflict extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/** An action that the server would not understand; `field` is wrong. */
export class MatchDamage extends Error {
  constructor(field) {
    super(field);
    this.field = field;
  }
}

export const refuse = (reason) => { throw new MatchConflict(reason); };

export const sideNames = ['a', 'b'];
/** The index of the other side. */
export const otherSide = (side) => 1 - side;
/** The side with more; `undefined` if both have the same. */
export const leaderOf = ([a, b]) => (a === b ? undefined : a > b ? 0 : 1);
export const totalOf = ([a, b]) => a + b;

const playOf = (play) => {
  switch (play.kind) {
    case 'games': return { kind: 'games', gamesToWin: play.gamesToWin, targets: play.targets, lead: play.lead ?? 1, cap: play.cap ?? null };
    case 'sets': return { kind: 'sets', setsToWin: play.setsToWin, gamesPerSet: play.gamesPerSet, tieBreakTargets: play.targets };
    default: return {
      kind: 'periods', count: play.count, seconds: play.seconds, countsDown: play.clock === 'down',
      pointValues: play.pointValues ?? [1], overtimeSeconds: play.overtimeSeconds ?? null,
      overtimeCount: play.overtimeCount ?? null, allowsDraw: play.allowsDraw ?? false,
    };
  }
};

const allowanceOf = ({ count, seconds, games }) => ({ count, seconds: seconds ?? null, gameCount: Math.max(1, games ?? 1) });

/** The rules of a file. */
export const rulesOf = (file) => ({
  id: file.id,
  sport: file.sport,
  name: file.name,
  modalities: file.modalities,
  scorings: file.scoring,
  play: playOf(file.play),
  serveOrder: file.serve?.order ?? 'none',
  nextServe: file.serve?.next ?? 'alternates',
  decidingServe: file.serve?.deciding ?? 'asOthers',
  firstServeIsSingle: file.serve?.firstServeIsSingle ?? false,
  timeOuts: (file.timeOuts ?? []).map(allowanceOf),
  appeals: (file.appeals ?? []).map(allowanceOf),
});

/** The number of players whose names a side has. */
export const playerCountOf = (modality) => (modality === 'doubles' ? 2 : 1);

/** The points that one action may score. */
export const pointValuesOf = ({ play }) => (play.kind === 'periods' ? play.pointValues : [1]);

/** The entry of a list that holds for a game; the last one holds for all that follow. */
export const entryOf = (list, game) => list[game] ?? list.at(-1);

/** The time-outs or appeals that hold for a game, and whether their count begins there; `undefined` without any. */
export const allowanceIn = (list, game) => {
  const last = list.at(-1);
  if (!last) return undefined;
  let first = 0;
  for (const entry of list) {
    if (game < first + entry.gameCount) return { value: entry, isNew: game === first };
    first += entry.gameCount;
  }
  return { value: last, isNew: (game - first) % last.gameCount === 0 };
};
