// The operator's pages: the server sends the parts that change. A hidden page does not listen.
import { every, listen } from './page.js';

export const begin = (signal) => {
  const board = document.getElementById('dashboard');
  const log = document.getElementById('log');
  const source = board || log;
  if (!source) return;
  /** Puts new content in a place, and leaves the focus on the button that somebody is about to press. */
  const replace = (place, html) => {
    const { key } = document.activeElement?.dataset || {};
    const page = new DOMParser().parseFromString(html, 'text/html');
    // Pictures stay, because they are drawn now and then only.
    const kept = new Map([...place.querySelectorAll('[data-keep]')].map((element) => [element.dataset.keep, element]));
    // All dashboards get the same forms, without the token of the session.
    page.querySelectorAll('input[name=csrf]').forEach((field) => field.setAttribute('value', document.body.dataset.csrf));
    place.replaceChildren(...[...page.body.childNodes].map((node) => document.importNode(node, true)));
    place.querySelectorAll('[data-keep]').forEach((element) => {
      const own = kept.get(element.dataset.keep);
      if (own) element.replaceWith(own);
    });
    if (key && document.activeElement === document.body) place.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  };
  const longest = 1000;
  const append = (html) => {
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    const page = new DOMParser().parseFromString(html, 'text/html');
    log.append(...[...page.body.children].map((node) => document.importNode(node, true)));
    while (log.children.length > longest) log.firstElementChild.remove();
    if (isAtEnd) log.scrollTop = log.scrollHeight;
  };
  const pictureInterval = 10000;
  const asked = new WeakMap();
  const showPictures = async () => {
    if (document.hidden || !board) return;
    const images = [...board.querySelectorAll('[data-thumbnail]')].filter((image) => {
      const { top, bottom } = image.parentElement.getBoundingClientRect();
      return bottom > 0 && top < innerHeight && !(performance.now() - asked.get(image) < pictureInterval);
    });
    if (images.length === 0) return;
    const { showPicture } = await import(board.dataset.thumbnails);
    images.forEach((image) => {
      asked.set(image, performance.now());
      showPicture(new URL(image.dataset.thumbnail, location), image, signal);
    });
  };
  if (board) every(1000, showPictures, signal);
  if (log) log.scrollTop = log.scrollHeight;
  listen(source.dataset.events, (events) => {
    events.addEventListener('state', ({ data }) => replace(board, data));
    events.addEventListener('graphs', ({ data }) => replace(document.getElementById('graphs'), data));
    events.addEventListener('line', ({ data }) => append(data));
  }, signal);
};
