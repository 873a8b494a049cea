// A page about something that the server is still doing: it shows how far that is, and is loaded again, with what was
// typed, when it is done.
export const begin = (signal) => {
  const place = `typed:${location.pathname}`;
  const fields = () => [...document.querySelectorAll('main form')].flatMap((form) =>
    [...form.querySelectorAll('input:not([type=hidden]):not([type=file]), textarea, select')]
      .map((field) => [`${form.getAttribute('action')} ${field.name}`, field]));
  const isChoice = (field) => ['checkbox', 'radio'].includes(field.type);
  try {
    const typed = JSON.parse(sessionStorage.getItem(place) || '{}');
    sessionStorage.removeItem(place);
    fields().filter(([name]) => name in typed).forEach(([name, field]) => {
      if (isChoice(field)) field.checked = typed[name]; else field.value = typed[name];
    });
  } catch { /* A browser that keeps nothing loses what was typed. */ }
  const line = document.querySelector('[data-follow]');
  if (!line) return;
  const { follow, state } = line.dataset;
  const [shortest, longest] = [2000, 15000];
  let pause = shortest;
  const reload = () => {
    try {
      const typed = fields().map(([name, field]) => [name, isChoice(field) ? field.checked : field.value]);
      sessionStorage.setItem(place, JSON.stringify(Object.fromEntries(typed)));
    } catch { /* As above. */ }
    location.reload();
  };
  const look = async () => {
    if (signal.aborted) return;
    try {
      const answer = await fetch(follow, { headers: { Accept: 'application/json' } });
      if (answer.status === 404) { reload(); return; }
      if (answer.ok) {
        const found = await answer.json();
        if (found.state !== state) { reload(); return; }
        if (typeof found.progress === 'number') line.querySelector('span').textContent = `${Math.floor(found.progress * 100)} %`;
        pause = shortest;
      } else pause = Math.min(longest, pause * 2);
    } catch { pause = Math.min(longest, pause * 2); }
    setTimeout(look, pause);
  };
  setTimeout(look, pause);
};
