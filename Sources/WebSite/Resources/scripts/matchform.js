// The form of a new match while somebody fills it in: what the rules allow, the players that are known, the draw of the
// first serve, and how both sides look. The page of a tablet has the same form.
import { animate, newSeed, sideOf, sumOf } from './matchdraw.js';
import { flagOf, photoOf } from './playerimages.js';

const fields = ['a1', 'a2', 'b1', 'b2'];
const searchDelay = 200;

const element = (name, className, ...children) => {
  const made = Object.assign(document.createElement(name), { className });
  made.append(...children.filter(Boolean));
  return made;
};

export const fullName = ({ firstName, lastName }) => `${firstName} ${lastName}`;
const isSame = (first, second) => first.localeCompare(second, undefined, { sensitivity: 'accent' }) === 0;
const ageOf = ({ birthDate, age }) => {
  if (age !== undefined) return age;
  const [now, born] = [new Date(), new Date(birthDate)];
  const hasHad = now.getMonth() > born.getUTCMonth() || (now.getMonth() === born.getUTCMonth() && now.getDate() >= born.getUTCDate());
  return now.getFullYear() - born.getUTCFullYear() - (hasHad ? 0 : 1);
};

/** The text of a player in the list of suggestions: with the date of birth if another one has the same name. */
const labelOf = (player, players) => {
  const name = fullName(player);
  return players.some((other) => other.id !== player.id && isSame(fullName(other), name)) ? `${name} · ${player.birthDate}` : name;
};

/** Follows a form. `find(words)` resolves to the players whose names begin with some words. */
export const followForm = (form, words, find, signal) => {
  const known = new Map();
  const { elements } = form;
  const lineUp = form.querySelector('[data-line-up]');
  const seedField = elements.drawSeed;
  const input = (name) => elements[name];
  let [light, isDrawing] = [undefined, false];

  const rule = () => form.querySelector('[name=rules]:checked');
  const isDoubles = () => form.querySelector('[name=modality]:checked')?.value === 'doubles';
  const shownFields = () => fields.filter((name) => isDoubles() || name.endsWith('1'));
  const playerOf = (name) => known.get(input(`${name}Player`).value);
  const nameOf = (name) => {
    const player = playerOf(name);
    return player ? fullName(player) : input(name).value.trim();
  };

  const resolve = (name) => {
    const text = input(name).value.trim();
    const players = [...known.values()];
    const found = text ? players.filter((player) => isSame(labelOf(player, players), text)) : [];
    input(`${name}Player`).value = found.length === 1 ? found[0].id : '';
  };

  /** Says under a field that its player stands in another one as well. */
  const checkTwice = () => {
    const keys = shownFields().map((name) => input(`${name}Player`).value || input(name).value.trim().toLocaleLowerCase());
    for (const name of fields) {
      const index = shownFields().indexOf(name);
      const isTwice = index >= 0 && keys[index] !== '' && keys.indexOf(keys[index]) < index;
      input(name).setCustomValidity(isTwice ? words.sameTwice : '');
      if (isTwice) input(name).setAttribute('aria-invalid', 'true'); else input(name).removeAttribute('aria-invalid');
      document.getElementById(`wrong-${name}`).textContent = isTwice ? words.sameTwice : '';
    }
  };

  const checkRules = () => {
    const chosen = rule();
    const allowed = chosen?.dataset.allowed.split(' ') ?? [];
    const modalities = [...form.querySelectorAll('[name=modality]')];
    for (const option of modalities) {
      option.disabled = !allowed.includes(option.value);
      if (option.disabled) option.checked = false;
    }
    if (!modalities.some(({ checked }) => checked)) {
      const first = modalities.find(({ value }) => value === allowed[0]);
      if (first) first.checked = true;
    }
    for (const place of form.querySelectorAll('[data-partner]')) {
      place.hidden = !isDoubles();
      for (const field of place.querySelectorAll('input')) {
        field.disabled = !isDoubles();
        if (field.type !== 'hidden') field.required = isDoubles();
      }
    }
    form.querySelector('.first-serve').hidden = chosen !== null && !('serves' in chosen.dataset);
  };

  const server = () => {
    if (form.querySelector('.first-serve').hidden) return undefined;
    const chosen = form.querySelector('[name=firstServer]:checked')?.value;
    if (chosen) return chosen;
    return seedField.value && !isDrawing ? `${sideOf(seedField.value)}1` : undefined;
  };

  const drawPlayer = (name, serving) => {
    const player = playerOf(name);
    const text = nameOf(name);
    const serves = element('span', 'line-up-serve');
    if (serving === name) serves.textContent = `● ${words.servesFirst}`;
    if (!player) {
      const shown = element('strong', text ? '' : 'sub');
      shown.textContent = text || words.noPlayerYet;
      return element('div', 'line-up-player', photoOf({ name: text }), shown, element('span', 'sub'), serves);
    }
    const facts = element('span', 'sub');
    facts.textContent = `${words.age.replace('{age}', String(ageOf(player)))} · ${words[player.gender] ?? ''}`;
    const [shown, extra] = [element('strong', ''), element('span', 'sub')];
    [shown.textContent, extra.textContent] = [text, player.extra];
    return element('div', 'line-up-player', photoOf({ name: text, photo: player.photo }), shown, flagOf(player.country, words), facts, player.extra ? extra : undefined, serves);
  };

  const draw = () => {
    const serving = server();
    const sides = ['a', 'b'].map((side) => {
      const heading = element('h2', '');
      heading.textContent = form.querySelector(`[data-side=${side}] legend`).textContent;
      const players = shownFields().filter((name) => name.startsWith(side)).map((name) => drawPlayer(name, serving));
      return element('section', `line-up-side${serving?.startsWith(side) ? ' serves' : ''}${light === side ? ' drawn' : ''}`, heading, ...players);
    });
    lineUp.replaceChildren(...sides);
    for (const name of ['a1', 'b1']) {
      const place = form.querySelector(`[data-name=${name}]`);
      place.dataset.side ??= place.textContent;
      place.textContent = nameOf(name) || place.dataset.side;
    }
  };

  const drawServe = () => {
    const isDrawn = form.querySelector('[name=firstServer]:checked')?.value === '';
    // A draw stands: there is none again, and a server who is chosen needs none.
    form.querySelector('[data-draw]').hidden = !isDrawn || seedField.value !== '';
    seedField.disabled = !isDrawn;
    const seed = seedField.value;
    const side = seed && sideOf(seed);
    form.querySelector('[data-drawn]').textContent = isDrawn && seed && !isDrawing
      ? words[side === 'a' ? 'drawnA' : 'drawnB'].replace('{name}', nameOf(`${side}1`) || form.querySelector(`[data-name=${side}1]`).textContent)
        .replace('{seed}', seed).replace('{sum}', String(sumOf(seed)))
      : '';
  };

  const update = () => {
    checkRules();
    checkTwice();
    draw();
    drawServe();
  };

  const drawFirstServer = async () => {
    if (isDrawing) return;
    isDrawing = true;
    const seed = newSeed();
    form.querySelector('[data-draw]').disabled = true;
    await animate(seed, (side) => { light = side; draw(); }, signal);
    if (signal.aborted) return;
    seedField.value = seed;
    [light, isDrawing] = [undefined, false];
    update();
  };

  let [timer, newest] = [undefined, 0];
  const suggest = async (text) => {
    newest += 1;
    const mine = newest;
    let found;
    try { found = await find(text); } catch { return; }
    if (signal.aborted || mine !== newest) return;
    for (const player of found) known.set(player.id, player);
    const players = [...known.values()];
    document.getElementById('known-players').replaceChildren(...found.map((player) => Object.assign(document.createElement('option'), {
      value: labelOf(player, players), textContent: player.extra,
    })));
    fields.forEach(resolve);
    update();
  };

  form.addEventListener('input', ({ target }) => {
    if (fields.includes(target.name)) {
      resolve(target.name);
      clearTimeout(timer);
      timer = setTimeout(suggest, searchDelay, target.value.trim());
    }
    update();
  }, { signal });
  form.querySelector('[data-draw]').addEventListener('click', drawFirstServer, { signal });
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  update();
  return suggest('').then(async () => {
    // A form that came back with names that are not among the first players.
    for (const name of fields) if (input(name).value.trim() && !playerOf(name)) await suggest(input(name).value.trim());
  });
};
