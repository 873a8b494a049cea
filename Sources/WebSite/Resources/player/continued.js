// The home page's row of what a visitor without an account has begun, from the browser's memory.

import { clock, filled, make } from './elements.js';
import { recall } from './memory.js';

/** Items that the row shows. */
const shown = 6;

/** One of the twelve colours of placeholders. */
const hueOf = (name) => [...new TextEncoder().encode(name)].reduce((sum, byte) => (sum + byte) % 12, 0);

export const showContinued = (row) => {
  const begun = Object.values(recall('positions', {})).filter(({ finished, page, name }) => !finished && page && name);
  begun.sort((a, b) => b.at - a.at);
  row.querySelector('ul').replaceChildren(...begun.slice(0, shown).map(({ page, name, poster, position, duration }) => {
    const left = filled(row.dataset.left, { time: clock(duration - position) });
    const link = make('a', { className: 'card', href: page }, make('span', { className: `art h${hueOf(name)}` }, poster ? make('img', { src: poster, alt: '', loading: 'lazy' }) : make('span', { className: 'letter' }, name.slice(0, 1).toUpperCase())),
      make('progress', { max: 1, value: position / duration, ariaLabel: left }), make('span', { className: 'name' }, name), make('span', { className: 'sub' }, left));
    link.dataset.play = '';
    return make('li', {}, link);
  }));
  row.hidden = begun.length === 0;
};
