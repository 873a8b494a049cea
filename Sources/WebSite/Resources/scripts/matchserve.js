// The order of serving.
import { leaderOf, otherSide, playerCountOf, refuse, sideNames, totalOf } from './matchrules.js';

const serverOf = (side, player = 0) => ({ side, player });

/** Whether the side that begins a game has only one server before the serve passes to the other side. */
export const firstServerIsLast = ({ modality, scoring, rules }) => playerCountOf(modality) === 1 || (scoring === 'sideOut' && rules.firstServeIsSingle);

const pointsOf = (state) => state.sides.map(({ points }) => points);
const isEven = (number) => number % 2 === 0;
const partnerOf = (state, player) => (player + 1) % playerCountOf(state.modality);

/** The player of a side serves from the right court at an even number of points, from the left at an odd one. */
const serveFromCourt = (state, side) => {
  const right = state.rightPlayer[side];
  state.server = serverOf(side, isEven(state.sides[side].points) ? right : partnerOf(state, right));
};

const place = (state, { side, player }) => {
  state.rightPlayer[side] = isEven(state.sides[side].points) ? player : partnerOf(state, player);
};

export const setServer = (state, action) => {
  if (state.isFinal) refuse('isOver');
  const { rules } = state;
  const player = action.player ?? 0;
  const count = playerCountOf(state.modality);
  if (rules.serveOrder === 'none' || player < 0 || player >= count) refuse('nobodyServes');
  const server = serverOf(sideNames.indexOf(action.side), player);
  state.server = server;
  if (rules.serveOrder === 'courts') place(state, server);
  else if (rules.serveOrder === 'partnersFirst') state.isLastServer = player === count - 1;
  else state.nextPlayer[server.side] = player;
  const isUnplayed = totalOf(pointsOf(state)) === 0 && totalOf(state.sides.map(({ games }) => games)) === 0;
  if (state.phase !== 'ready' && !isUnplayed) return;
  state.gameServer = server;
  if (firstServerIsLast(state)) state.isLastServer = true;
};

/** The server loses a rally. */
export const loseServe = (state) => {
  const { server } = state;
  if (!server) return;
  const side = otherSide(server.side);
  const partner = partnerOf(state, server.player);
  switch (state.rules.serveOrder) {
    case 'partnersFirst':
      if (!state.isLastServer) {
        state.server = serverOf(server.side, partner);
        state.isLastServer = true;
      } else {
        // The order within a side stays as it was when the side began.
        state.server = serverOf(side, state.nextPlayer[side]);
        state.isLastServer = playerCountOf(state.modality) === 1;
      }
      break;
    case 'sidesAlternate':
      // Two players of a side serve in turn.
      state.nextPlayer[server.side] = partner;
      state.server = serverOf(side, state.nextPlayer[side]);
      break;
    case 'courts': serveFromCourt(state, side); break;
    case 'sides': state.server = serverOf(side); break;
    default:
  }
};

/** Rally scoring: the winner of the rally serves. */
export const serveAfterRally = (state, side) => {
  const { server } = state;
  if (!server) return;
  if (server.side === side) {
    // The players of the side change courts, and the same player serves.
    if (state.rules.serveOrder === 'courts') state.rightPlayer[side] = partnerOf(state, state.rightPlayer[side]);
    return;
  }
  // The serve passes to the other side at once.
  state.isLastServer = true;
  state.nextPlayer[server.side] = partnerOf(state, server.player);
  loseServe(state);
};

/** The first point of a tie-break is served by the player whose turn it is, then two each. */
export const serveWithinTieBreak = (state) => {
  if (!isEven(totalOf(pointsOf(state)))) loseServe(state);
};

/** A tie-break counts as a service game of the player who began it. */
export const serveNextTennisGame = (state, wasTieBreak, isTieBreak) => {
  if (wasTieBreak && state.server) state.server = serverOf(state.tieBreakServer, state.server.player);
  loseServe(state);
  if (!wasTieBreak && isTieBreak && state.server) state.tieBreakServer = state.server.side;
};

/** Chooses who begins a game after the first one. */
export const chooseFirstServer = (state, lastWinner, isDeciding) => {
  const { rules } = state;
  if (!state.server || rules.nextServe === 'continues') return;
  const other = otherSide(state.gameServer.side);
  let side = rules.nextServe === 'winner' ? lastWinner ?? other : other;
  if (isDeciding && rules.decidingServe === 'morePoints') {
    side = leaderOf([0, 1].map((index) => state.finished.reduce((sum, game) => sum + game[index], 0))) ?? side;
  }
  const first = serverOf(side, rules.serveOrder === 'courts' ? state.rightPlayer[side] : 0);
  state.gameServer = first;
  state.server = first;
  state.nextPlayer = [0, 0];
  state.isLastServer = firstServerIsLast(state);
};
