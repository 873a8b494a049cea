// The time that is left of a rental. Without this script the page says what was left when it was made.
import { every } from './page.js';

export const begin = (signal) => {
  const times = [...document.querySelectorAll('time[data-countdown]')];
  if (times.length === 0) return;
  const show = () => times.forEach((time) => {
    const left = Math.max(0, Math.floor((Date.parse(time.dateTime) - Date.now()) / 1000));
    const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    const shown = hours > 0 ? `${hours} h ${minutes} min` : minutes > 0 ? `${minutes} min ${seconds} s` : `${seconds} s`;
    if (time.textContent !== shown) time.textContent = shown;
  });
  every(1000, show, signal);
  show();
};
