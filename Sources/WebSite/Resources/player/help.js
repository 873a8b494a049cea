// The sheet of keys.

import { iconButton, make, spoken } from './elements.js';

export class Help {
  constructor(controls, onClose) {
    Object.assign(this, { controls, onClose });
    const { words } = controls;
    const keys = [
      [words.keyPlay, ['␣', 'K']], [`± ${spoken(5)}`, ['←', '→']], [`± ${spoken(10)}`, ['J', 'L']], [words.volume, ['↑', '↓']],
      [words.mute, ['M']], [words.subtitles, ['C']], [words.fullScreen, ['F']], [words.pictureInPicture, ['P']], [words.keyFrames, [',', '.']],
      [words.speed, ['<', '>']], [words.keyShare, ['0 – 9']], [words.next, ['⇧ N']], [words.help, ['?']],
    ];
    this.element = make('div', { className: 'p-statistics p-help', role: 'dialog', ariaLabel: words.help, tabIndex: -1 },
      make('div', { className: 'p-heading' }, make('span', {}, words.help), iconButton('close', words.close, () => this.close())),
      make('dl', {}, ...keys.flatMap(([name, list]) => [make('dt', {}, ...list.flatMap((key, index) => [index ? ' ' : '', make('kbd', {}, key)])), make('dd', {}, name)])));
    this.element.addEventListener('keydown', (event) => { if (event.key === 'Escape') { this.close(); event.stopPropagation(); } });
    controls.root.append(this.element);
    this.element.focus();
  }

  close() {
    this.element.remove();
    this.onClose();
  }
}
