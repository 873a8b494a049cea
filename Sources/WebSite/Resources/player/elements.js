// Small helpers for elements: made from names and properties, icons, times, and menus.

/** Makes an element: `make('button', { className: 'p-play', ariaLabel: '…' }, child, …)`. */
export const make = (name, properties = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== 'role') element[key] = value;
    else element.setAttribute(key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null && child !== false));
  return element;
};

const namespace = 'http://www.w3.org/2000/svg';

const paths = {
  play: 'M8 5v14l11-7z', pause: 'M6 5h4v14H6zm8 0h4v14h-4z', replay: 'M12 5V1L7 6l5 5V7a6 6 0 1 1-6 6H4a8 8 0 1 0 8-8z',
  loud: 'M3 9v6h4l5 5V4L7 9zm13.5 3A4.5 4.5 0 0 0 14 8v8a4.5 4.5 0 0 0 2.5-4zM14 3.2v2.1a7 7 0 0 1 0 13.4v2.1a9 9 0 0 0 0-17.6z',
  silent: 'M3 9v6h4l5 5V4L7 9zm18.3.1-1.4-1.4L17.5 10l-2.4-2.4-1.4 1.4 2.4 2.4-2.4 2.4 1.4 1.4 2.4-2.4 2.4 2.4 1.4-1.4-2.4-2.4z',
  captions: 'M4 5h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zm2 6v2h4v-2zm6 0v2h6v-2zm-6 4v2h8v-2zm10 0v2h2v-2z',
  settings: 'M19.4 13a7.5 7.5 0 0 0 0-2l2.1-1.6-2-3.5-2.5 1a7.5 7.5 0 0 0-1.7-1L15 3h-4l-.4 2.9a7.5 7.5 0 0 0-1.7 1l-2.4-1-2 3.5L6.6 11a7.5 7.5 0 0 0 0 2l-2.1 1.6 2 3.5 2.4-1a7.5 7.5 0 0 0 1.8 1l.3 2.9h4l.4-2.9a7.5 7.5 0 0 0 1.7-1l2.4 1 2-3.5zM13 15.5a3.5 3.5 0 1 1 0-7 3.5 3.5 0 0 1 0 7z',
  picture: 'M19 11h-8v6h8zm4 8V5a2 2 0 0 0-2-2H3a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h18a2 2 0 0 0 2-2zm-2 0H3V5h18z',
  full: 'M7 14H5v5h5v-2H7zm-2-4h2V7h3V5H5zm12 7h-3v2h5v-5h-2zM14 5v2h3v3h2V5z',
  small: 'M5 16h3v3h2v-5H5zm3-8H5v2h5V5H8zm6 11h2v-3h3v-2h-5zm2-11V5h-2v5h5V8z',
  next: 'M6 18l8.5-6L6 6zM16 6v12h2V6z', previous: 'M6 6h2v12H6zm3.5 6 8.5 6V6z',
  back: 'M15.4 7.4 14 6l-6 6 6 6 1.4-1.4-4.6-4.6z', done: 'M9 16.2 4.8 12l-1.4 1.4L9 19 21 7l-1.4-1.4z', close: 'm19 6.4-1.4-1.4L12 10.6 6.4 5 5 6.4l5.6 5.6L5 17.6 6.4 19l5.6-5.6 5.6 5.6 1.4-1.4-5.6-5.6z',
  cast: 'M1 18v3h3a3 3 0 0 0-3-3zm0-4v2a5 5 0 0 1 5 5h2a7 7 0 0 0-7-7zm0-4v2a9 9 0 0 1 9 9h2A11 11 0 0 0 1 10zM21 3H3a2 2 0 0 0-2 2v3h2V5h18v14h-7v2h7a2 2 0 0 0 2-2V5a2 2 0 0 0-2-2z',
  shuffle: 'M10.6 9.2 5.4 4 4 5.4l5.2 5.2zM14.5 4l2 2L4 18.6 5.4 20 18 7.5l2 2V4zm.3 9.4-1.4 1.4 3.1 3.2-2 2H20v-5.5l-2 2z',
  repeat: 'M7 7h10v3l4-4-4-4v3H5v6h2zm10 10H7v-3l-4 4 4 4v-3h12v-6h-2z',
};

/** An icon, which says nothing to screen readers. */
export const icon = (name) => {
  const image = document.createElementNS(namespace, 'svg');
  image.setAttribute('viewBox', '0 0 24 24');
  image.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(namespace, 'path');
  path.setAttribute('d', paths[name]);
  image.append(path);
  return image;
};

/** A button with an icon and a name. */
export const iconButton = (name, label, onclick, properties = {}) =>
  make('button', { type: 'button', className: `p-button p-${name}`, ariaLabel: label, title: label, onclick, ...properties }, icon(name));

export const setIcon = (button, name, label) => {
  if (button.dataset.icon === name && button.ariaLabel === label) return;
  button.dataset.icon = name;
  button.replaceChildren(icon(name));
  button.ariaLabel = label;
  button.title = label;
};

/** `1:02:03` or `2:03`. */
export const clock = (seconds) => {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return (parts[0] > 0 ? parts : parts.slice(1)).map((part, index) => (index ? String(part).padStart(2, '0') : part)).join(':');
};

/** A time in words for screen readers, in the language of the page. */
export const spoken = (seconds) => {
  const whole = Math.max(0, Math.floor(seconds || 0));
  const parts = { hour: Math.floor(whole / 3600), minute: Math.floor(whole / 60) % 60, second: whole % 60 };
  const { lang } = document.documentElement;
  return Object.entries(parts).filter(([unit, value]) => value > 0 || unit === 'second')
    .map(([unit, value]) => new Intl.NumberFormat(lang || undefined, { style: 'unit', unit, unitDisplay: 'long' }).format(value)).join(' ');
};

/** A text with `{name}` replaced. */
export const filled = (text, values) => String(text ?? '').replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

/** The name of a language, in the language of the page. */
export const languageName = (tag) => {
  try { return new Intl.DisplayNames([document.documentElement.lang || 'en'], { type: 'language' }).of(tag); } catch { return tag; }
};

/** Keeps the focus of the arrow keys within a list of buttons. */
export const roving = (event, list) => {
  const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
  if (!step) return false;
  const items = [...list.querySelectorAll('button:not([disabled])')];
  const at = items.indexOf(document.activeElement);
  const next = Math.abs(step) === 1 ? (at + step + items.length) % items.length : (step < 0 ? 0 : items.length - 1);
  items[next]?.focus();
  event.preventDefault();
  return true;
};
