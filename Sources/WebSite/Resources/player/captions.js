// Draws the cues that are active over the picture, in the size and colours that the visitor has chosen.

import { make } from './elements.js';
import { keep, recall } from './memory.js';

/** The choices for captions; the first of each is the usual one. */
export const captionChoices = {
  size: ['100', '75', '125', '150', '200'],
  colour: ['white', 'yellow', 'lime', 'cyan'],
  background: ['shade', 'none', 'black'],
};

export const captionStyle = () => ({ size: '100', colour: 'white', background: 'shade', ...recall('captions', {}) });
export const setCaptionStyle = (name, value) => keep('captions', { ...captionStyle(), [name]: value });

const tagPattern = /<(\/?)([a-z]+)?([^>]*)>|([^<]+)/g;
const allowed = { i: 'i', b: 'b', u: 'u', ruby: 'ruby', rt: 'rt' };
const entities = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&nbsp;': '\u00A0', '&lrm;': '\u200E', '&rlm;': '\u200F' };
const plain = (text) => text.replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (entity) => entities[entity]);

/** The text of a cue as elements: what is not known of its marks is left out, and nothing of it is read as HTML. */
export const cueElements = (text) => {
  const root = make('span');
  const open = [root];
  for (const [, closing, name, , words] of text.matchAll(tagPattern)) {
    if (words) {
      plain(words).split('\n').forEach((line, index) => open.at(-1).append(...(index ? [make('br')] : []), line));
    } else if (closing) {
      if (open.length > 1 && open.at(-1).localName === allowed[name]) open.pop();
    } else if (allowed[name]) {
      const element = make(allowed[name]);
      open.at(-1).append(element);
      open.push(element);
    }
  }
  return root;
};

export class Captions {
  #shown = '';

  constructor(player) {
    this.player = player;
    this.element = make('div', { className: 'p-cues', ariaHidden: 'true' });
    this.refresh();
  }

  /** Takes over the visitor's choices. */
  refresh() {
    const { size, colour, background } = captionStyle();
    Object.assign(this.element.dataset, { colour, background });
    this.element.style.setProperty('--p-caption-size', String(Number(size) / 100));
  }

  /** Shows what is to be read now. */
  update() {
    const cues = this.player.texts?.active || [];
    const name = cues.map(({ text, line }) => `${line} ${text}`).join('\n\n');
    if (name === this.#shown) return;
    this.#shown = name;
    this.element.replaceChildren(...cues.map((cue) => {
      const box = make('p', {}, cueElements(cue.text));
      if (typeof cue.line === 'number' && cue.line < 50) box.classList.add('p-top');
      if (['start', 'left'].includes(cue.align)) box.classList.add('p-start');
      if (['end', 'right'].includes(cue.align)) box.classList.add('p-end');
      return box;
    }));
  }
}
