// "More" of a list appends the next page to it; the link leads to the same page for browsers without scripts, and for
// a visitor who opens it elsewhere.
import { fetchPage } from './dom.js';

export const begin = (signal) => {
  document.querySelectorAll('[data-more]').forEach((link) => link.addEventListener('click', async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    if (link.getAttribute('aria-disabled') === 'true') return;
    link.setAttribute('aria-disabled', 'true');
    try {
      const next = await fetchPage(link.href);
      if (signal.aborted) return;
      const list = document.querySelector('[data-list]');
      const added = [...next.querySelectorAll('[data-list] > li')].map((item) => document.importNode(item, true));
      if (!list || added.length === 0) throw new Error();
      list.append(...added);
      const further = next.querySelector('[data-more]');
      if (further) link.href = new URL(further.getAttribute('href'), link.href).href;
      else link.remove();
      added[0].querySelector('a')?.focus({ preventScroll: true });
      link.removeAttribute('aria-disabled');
    } catch { location.href = link.href; }
  }, { signal }));
};
