// Points in time in the visitor's time zone; the server writes them in UTC. One of the last or the next days is shown
// by its distance if the page asks for it, with the exact time beside it.
import { every } from './page.js';

const units = [['day', 86400], ['hour', 3600], ['minute', 60]];
const farthestDays = 7;

export const begin = (signal) => {
  const { lang } = document.documentElement;
  const locale = navigator.languages.find((name) => name.split('-')[0] === lang) || lang;
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const distance = (date) => {
    const seconds = (date - Date.now()) / 1000;
    if (Math.abs(seconds) > farthestDays * 86400) return null;
    const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) || ['minute', 60];
    return relative.format(Math.trunc(seconds / length), unit);
  };
  const setText = (time, date) => {
    const text = (time.dataset.relative !== undefined && distance(date)) || exact.format(date);
    if (time.textContent !== text) time.textContent = text;
  };
  const dateOf = (time) => new Date(time.dateTime);
  const show = (root) => root.querySelectorAll('time[data-local]').forEach((time) => {
    const date = dateOf(time);
    if (Number.isNaN(date.getTime())) return;
    time.title = exact.format(date);
    setText(time, date);
    time.removeAttribute('data-local');
  });
  show(document);
  every(30000, () => document.querySelectorAll('time[data-relative]:not([data-local])').forEach((time) => setText(time, dateOf(time))), signal);
  // Parts of other pages that scripts show here.
  const watcher = new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((node) => {
    if (node.nodeType === Node.ELEMENT_NODE) show(node.parentElement || node);
  })));
  watcher.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener('abort', () => watcher.disconnect(), { once: true });
};
