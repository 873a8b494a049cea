// The lists of conversations follow what is written: a change loads the page's list and badges again.
import { fetchPage } from './dom.js';
import { listen } from './page.js';

export const begin = (signal) => {
  let isFirst = true;
  let timer;
  const refresh = async () => {
    try {
      const next = await fetchPage(location.href);
      if (signal.aborted) return;
      ['.talks .chips', '.talks .talk-rows'].forEach((selector) => {
        const [shown, fresh] = [document.querySelector(selector), next.querySelector(selector)];
        if (shown && fresh && !shown.contains(document.activeElement)) shown.replaceWith(document.importNode(fresh, true));
      });
      const [empty, none] = [document.querySelector('.talks > .empty'), next.querySelector('.talks > .empty')];
      if (empty && !none) empty.remove();
    } catch { /* the next event tries it again */ }
  };
  listen('/api/v1/me/conversations/events', (events) => {
    events.addEventListener('conversations', () => {
      if (isFirst) { isFirst = false; return; }
      clearTimeout(timer);
      timer = setTimeout(refresh, 300);
    });
  }, signal);
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
};
