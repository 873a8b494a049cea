// What the page of a referee shows of a match.
import { eventText, refusalText } from './matchrefusals.js';
import { sideNames } from './matchrules.js';
import { flagOf, photoOf, showsPhotos } from './playerimages.js';
import { clock, nameOf, periodTime, situation } from './scores.js';

const put = (element, text) => { if (element.textContent !== text) element.textContent = text; };

/** The buttons for the points that one action may score, which follow from the rules. */
const putValues = (half, values) => {
  const place = half.querySelector('.give');
  const shown = [...place.querySelectorAll('[data-give=point]')];
  if (shown.map(({ dataset }) => dataset.value).join() === values.join()) return;
  shown.forEach((button) => button.remove());
  place.prepend(...values.map((value) => {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: `+${value}` });
    Object.assign(button.dataset, { give: 'point', value });
    return button;
  }));
};

/** The photos and flags of a side, if they are others than before. */
const putPeople = (place, board, { players }, words) => {
  const hasPhotos = showsPhotos(board);
  const key = `${hasPhotos}${players.map(({ photo, country }) => `${photo}/${country}`).join()}`;
  if (!place || place.dataset.key === key) return;
  place.dataset.key = key;
  place.replaceChildren(...players.flatMap((player) => [hasPhotos && photoOf(player), player.country && flagOf(player.country, words)].filter(Boolean)));
};

const drawHalf = (half, board, index, words) => {
  const side = board.sides[index];
  const one = (selector) => half.querySelector(selector);
  putPeople(one('.people'), board, side, words);
  put(one('.name'), nameOf(side, false));
  put(one('.points'), side.pointsText);
  put(one('.won b'), String(side.won));
  put(one('.games b'), String(side.games));
  put(one('[data-count=timeOut] b'), String(side.timeOutsLeft));
  put(one('[data-count=appeal] b'), String(side.appealsLeft));
  put(one('.past'), board.finished.map((game) => game[index]).join('  '));
  putValues(half, board.pointValues);
  half.classList.toggle('serves', side.serving !== null);
  put(one('.server'), side.serving === null ? '' : `● ${side.players[side.serving]?.shortName ?? ''}`);
};

/** The refusals and conflicts of a match in words. */
const conflictsOf = (kept, board, words) => [
  ...board.conflicts.map(({ sequence, reason }) => `${sequence}: ${words.conflicts[reason] || reason}`),
  ...kept.refused.map(({ event, reason }) => `${eventText(event, words, sideNameOf(board))}. ${words.refused.replace('{reason}', refusalText(reason, words))}`),
];

/** Tells the name of a side, `a` or `b`. */
const sideNameOf = (board) => (side) => nameOf(board.sides[sideNames.indexOf(side)], true);

/** What others have entered meanwhile, and what this tablet asks about. */
const drawRace = (place, { race, waiting, board }, words) => {
  const isNew = place.hidden && race !== undefined;
  place.hidden = !race;
  if (!race) return;
  const textsOf = (events) => events.map((event) => eventText(event, words, sideNameOf(board))).join(' · ');
  put(place.querySelector('.theirs'), textsOf(race.map(({ event }) => event)));
  put(place.querySelector('.own'), textsOf(waiting.map(({ event }) => event)));
  if (!isNew) return;
  // The question itself and no answer, so that a key that is pressed at that moment answers nothing.
  place.tabIndex = -1;
  place.focus();
};

/** The result of a match that has just ended. */
export const drawResult = (place, kept, words, now, left) => {
  const { board } = kept;
  put(place.querySelector('.ended'), situation({ ...board, frozen: false }, words, now));
  put(place.querySelector('.score'), board.score);
  const isDelivered = kept.waiting.length === 0 && kept.match.server !== null;
  const saved = board.phase === 'finished' ? (isDelivered ? words.resultSaved : words.resultKept) : words.withoutResult;
  put(place.querySelector('.saved'), kept.hasUnkept ? words.notKept : saved);
  put(place.querySelector('.left'), left === undefined ? '' : `(${left})`);
};

export const drawReferee = (page, kept, words, now) => {
  const { board } = kept;
  const one = (selector) => page.querySelector(selector);
  Object.assign(page.dataset, { phase: board.phase, kind: board.kind, shown: 'true' });
  page.querySelectorAll('.half').forEach((half, index) => drawHalf(half, board, index, words));
  const shown = periodTime(board, now);
  put(one('.clock'), shown === undefined ? '' : clock(shown));
  put(one('.situation'), situation({ ...board, frozen: false }, words, now));
  one('[data-action=freeze]').setAttribute('aria-pressed', String(board.frozen));
  const conflicts = conflictsOf(kept, board, words);
  one('.conflicts').hidden = conflicts.length === 0;
  put(one('.conflicts p'), conflicts.join(' · '));
  drawRace(one('.race'), kept, words);
  const count = kept.waiting.length;
  one('.pending').hidden = count === 0 && kept.match.server !== null;
  put(one('.pending'), count === 0 ? words.waits : words.pending.replace('{count}', String(count)));
  for (const button of page.querySelectorAll('[data-when]')) button.hidden = !button.dataset.when.split(' ').includes(board.phase);
};
