// The badge of the bell follows what happens, and what is read on other devices.
import { every } from './page.js';

export const begin = (signal) => {
  const bell = document.querySelector('.bell');
  if (!bell) return;
  const count = bell.querySelector('.count');
  const show = (unread) => {
    count.textContent = unread > 99 ? '99+' : String(unread);
    count.hidden = unread === 0;
    bell.setAttribute('aria-label', unread > 0 ? `${bell.dataset.label}: ${count.textContent}` : bell.dataset.label);
  };
  // The streams of a member are limited: a hidden page does not listen, and a refused one retries later.
  let events;
  const listen = () => {
    if (document.hidden || (events && events.readyState !== EventSource.CLOSED)) return;
    events = new EventSource('/api/v1/me/notifications/events');
    events.addEventListener('notifications', (event) => show(JSON.parse(event.data).unread));
  };
  document.addEventListener('visibilitychange', () => {
    if (document.hidden && events) events.close();
    listen();
  }, { signal });
  signal.addEventListener('abort', () => events?.close(), { once: true });
  every(20000, listen, signal);
  listen();
};
