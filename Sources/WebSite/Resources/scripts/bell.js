// The badge of the bell follows what happens, and what is read on other devices.
import { listen } from './page.js';

export const begin = (signal) => {
  const bell = document.querySelector('.bell');
  if (!bell) return;
  const count = bell.querySelector('.count');
  const show = (unread) => {
    count.textContent = unread > 99 ? '99+' : String(unread);
    count.hidden = unread === 0;
    bell.setAttribute('aria-label', unread > 0 ? `${bell.dataset.label}: ${count.textContent}` : bell.dataset.label);
  };
  listen('/api/v1/me/notifications/events', (events) => {
    events.addEventListener('notifications', (event) => show(JSON.parse(event.data).unread));
  }, signal);
};
