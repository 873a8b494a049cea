// A new match as a tablet sets it up: what the server would make of the same form.
import { playerCountOf, rulesOf } from './matchrules.js';

const option = (value, label) => Object.assign(document.createElement('option'), { value, textContent: label });

const labelOf = ({ sports, names }) => {
  const { lang } = document.documentElement;
  return `${sports[lang] ?? sports.en}: ${names[lang] ?? names.en}`;
};

/** Fills the form with the channels, rules and players that the tablet knows. */
export const newMatchForm = (form, { channels, rules, players }) => {
  form.elements.channel.replaceChildren(...channels.map(({ name, title }) => option(name, title)));
  form.elements.rules.replaceChildren(...rules.map((entry) => option(entry.id, labelOf(entry))));
  document.getElementById('known-players').replaceChildren(...players.map((player) => option(`${player.firstName} ${player.lastName}`, player.extra)));
};

const isSame = (first, second) => first.localeCompare(second, undefined, { sensitivity: 'accent' }) === 0;

/** The player with a name, or the name. */
const entrantOf = (text, players) => {
  const name = text.trim();
  const player = players.find(({ firstName, lastName }) => isSame(`${firstName} ${lastName}`, name));
  if (!player) return { id: null, name, shortName: name, country: null, gender: null, birthDate: null, extra: '' };
  const { id, firstName, lastName, country, gender, birthDate, extra } = player;
  return { id, name: `${firstName} ${lastName}`, shortName: lastName, country, gender, birthDate, extra };
};

const draw = () => (crypto.getRandomValues(new Uint8Array(1))[0] % 2 === 0 ? 'a' : 'b');

/** The set-up of a match, and the request that makes it on the server; or the name of the problem. */
export const newMatch = (sent, { rules, players }) => {
  const value = (name) => String(sent.get(name) ?? '').trim();
  const { document: file } = rules.find(({ id }) => id === value('rules'));
  const sides = ['a', 'b'].map((side) => [1, 2].map((number) => value(`${side}${number}`)).filter(Boolean).map((text) => entrantOf(text, players)));
  const { modalities, scorings } = rulesOf(file);
  const isDoubles = sides.every(({ length }) => length === 2) && modalities.includes('doubles');
  const modality = value('modality') || (isDoubles ? 'doubles' : modalities[0]);
  const scoring = value('scoring') || scorings[0];
  const isAllowed = modalities.includes(modality) && scorings.includes(scoring);
  if (!isAllowed || sides.some(({ length }) => length !== playerCountOf(modality))) return { problem: 'wrongRules' };
  const all = sides.flat().map(({ id, name }) => id ?? name);
  if (new Set(all).size !== all.length) return { problem: 'sameTwice' };
  const isDrawn = value('firstServer') === '';
  const side = isDrawn ? draw() : value('firstServer')[0];
  const lines = { competition: value('competition'), stage: value('stage'), referee: value('referee') };
  const setup = { rules: file, channel: value('channel'), modality, scoring, firstServer: { side, player: 0 }, isDrawn, sides, ...lines };
  const [sideA, sideB] = sides.map((entrants) => entrants.map(({ id, name }) => id ?? name));
  const request = {
    channel: setup.channel, rules: file.id, modality, scoring, sideA, sideB, firstServer: `${side}1`, drawn: isDrawn, ...lines,
  };
  return { setup, request };
};
