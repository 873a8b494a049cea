// What the server has refused, and what others have entered, in the words of the page.

/** The part of a problem of the server (RFC 9457) that is kept with what it has refused. */
export const refusalOf = (problem) => ({
  type: (problem?.type ?? '').split(/[#/]/).at(-1),
  fields: (problem?.errors ?? []).map(({ field }) => field),
});

/** The text for a refused event or match. */
export const refusalText = (refusal, words) => {
  const { type = '', fields = [] } = refusal ?? {};
  const [field = ''] = fields;
  if (words.conflicts[field]) return words.conflicts[field];
  if (type === 'too-many') return words.refusals.full;
  if (type === 'conflict' && field === 'sideB') return words.sameTwice;
  if (field === 'channel') return words.refusals.noChannel;
  if (['rules', 'modality', 'scoring', 'sideA', 'sideB', 'firstServer'].includes(field)) return words.wrongRules;
  return words.refusals.notValid;
};

/** The name of an event, with the side that it is about. */
export const eventText = ({ type, side, text }, words, nameOfSide) => {
  const name = words.events[type] ?? type;
  const more = side ? nameOfSide(side) : type === 'note' ? text : '';
  return more ? `${name}: ${more}` : name;
};
