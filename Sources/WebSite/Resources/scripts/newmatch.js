// A new match as a tablet sets it up: what the server would make of the same form.
import { newSeed, sideOf } from './matchdraw.js';
import { playerCountOf, rulesOf } from './matchrules.js';

const option = (value, label) => Object.assign(document.createElement('option'), { value, textContent: label });

const suggestionCount = 50;

/** Fills the form with the channels that the tablet knows, and leaves only the cards of rules that it has. */
export const newMatchForm = (form, { channels, rules }) => {
  form.elements.channel.replaceChildren(...channels.map(({ name, title }) => option(name, title)));
  for (const card of form.querySelectorAll('[name=rules]')) if (!rules.some(({ id }) => id === card.value)) card.closest('label').remove();
};

const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase();

/** The players that a tablet knows whose names begin with some words. */
export const knownPlayers = (players, text) => {
  const words = fold(text.split(' · ')[0]).split(/\s+/).filter(Boolean);
  const isFound = ({ firstName, lastName }) => {
    const names = fold(`${firstName} ${lastName}`).split(/\s+/);
    return words.every((word) => names.some((name) => name.startsWith(word)));
  };
  return players.filter(isFound).slice(0, suggestionCount);
};

const isSame = (first, second) => first.localeCompare(second, undefined, { sensitivity: 'accent' }) === 0;

/** The version in the address of a photo, as the server's set-up has it. */
const versionOf = (photo) => (photo ? new URL(photo, location.href).searchParams.get('v') : null);

/** The player that was chosen, or that has a name; or the name. */
const entrantOf = ({ text: name, chosen }, players) => {
  const player = players.find(({ id }) => id === chosen) ?? players.find(({ firstName, lastName }) => isSame(`${firstName} ${lastName}`, name));
  if (!player) return { id: null, name, shortName: name, country: null, gender: null, birthDate: null, extra: '', photo: null };
  const { id, firstName, lastName, country, gender, birthDate, extra, photo } = player;
  return { id, name: `${firstName} ${lastName}`, shortName: lastName, country, gender, birthDate, extra, photo: versionOf(photo) };
};

/** The set-up of a match, and the request that makes it on the server; or the name of the problem. */
export const newMatch = (sent, { rules, players }) => {
  const value = (name) => String(sent.get(name) ?? '').trim();
  const { document: file } = rules.find(({ id }) => id === value('rules'));
  const sides = ['a', 'b'].map((side) => [1, 2]
    .map((number) => ({ text: value(`${side}${number}`), chosen: value(`${side}${number}Player`) }))
    .filter(({ text }) => text !== '').map((entry) => entrantOf(entry, players)));
  const { modalities, scorings } = rulesOf(file);
  const isDoubles = sides.every(({ length }) => length === 2) && modalities.includes('doubles');
  const modality = value('modality') || (isDoubles ? 'doubles' : modalities[0]);
  const scoring = value('scoring') || scorings[0];
  const isAllowed = modalities.includes(modality) && scorings.includes(scoring);
  if (!isAllowed || sides.some(({ length }) => length !== playerCountOf(modality))) return { problem: 'wrongRules' };
  const all = sides.flat().map(({ id, name }) => id ?? name);
  if (new Set(all).size !== all.length) return { problem: 'sameTwice' };
  const isDrawn = value('firstServer') === '';
  const drawSeed = isDrawn ? value('drawSeed') || newSeed() : null;
  const side = isDrawn ? sideOf(drawSeed) : value('firstServer')[0];
  const lines = { competition: value('competition'), stage: value('stage'), referee: value('referee') };
  const setup = { rules: file, channel: value('channel'), modality, scoring, firstServer: { side, player: 0 }, isDrawn, drawSeed, sides, ...lines };
  const [sideA, sideB] = sides.map((entrants) => entrants.map(({ id, name }) => id ?? name));
  const request = {
    channel: setup.channel, rules: file.id, modality, scoring, sideA, sideB, firstServer: `${side}1`, drawn: isDrawn, ...(isDrawn ? { drawSeed } : {}), ...lines,
  };
  return { setup, request };
};
