// The search of the header shows the first hits while somebody types; Enter leads to the page of all. "/" goes to it.
export const begin = (signal) => {
  const form = document.querySelector('form.find');
  if (!form) return;
  const field = form.querySelector('input');
  let box;
  let turn = 0;
  let timer;
  const close = () => { box?.remove(); box = undefined; turn += 1; };
  const look = async () => {
    const own = ++turn;
    const words = field.value.trim();
    if (words.length < 2) { close(); return; }
    try {
      const answer = await fetch(`/buscar?q=${encodeURIComponent(words)}`, { headers: { Accept: 'text/html' } });
      if (!answer.ok) return;
      const found = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('#found');
      if (own !== turn || !found || document.activeElement !== field) return;
      if (!box) {
        box = document.createElement('div');
        box.className = 'found';
        form.append(box);
      }
      box.replaceChildren(...found.childNodes);
    } catch { /* Enter still leads to the page. */ }
  };
  field.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(look, 150); }, { signal });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') { close(); field.focus(); return; }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = [...(box?.querySelectorAll('a') || [])];
    if (!step || links.length === 0) return;
    event.preventDefault();
    const next = links.indexOf(document.activeElement) + step;
    (links[next] || (next < 0 ? field : links[0])).focus();
  }, { signal });
  form.addEventListener('focusout', (event) => { if (!form.contains(event.relatedTarget)) setTimeout(close, 150); }, { signal });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input, textarea, select')) return;
    event.preventDefault();
    field.focus();
  }, { signal });
};
