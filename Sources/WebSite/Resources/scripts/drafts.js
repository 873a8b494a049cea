// A draft survives a reload. It is forgotten when the form was sent: then its page says so, and has no draft.
export const begin = (signal) => {
  const key = (form) => `draft:${form.dataset.draft}`;
  const forms = [...document.querySelectorAll('form[data-draft]')];
  try {
    if (forms.length === 0 && location.search === '?hecho=1') localStorage.removeItem(`draft:${location.pathname.slice(1)}`);
    forms.forEach((form) => {
      const fields = [...form.querySelectorAll('input:not([type=hidden]), textarea')];
      const kept = JSON.parse(localStorage.getItem(key(form)) || '{}');
      fields.forEach((field) => { if (!field.value && kept[field.name]) field.value = kept[field.name]; });
      form.addEventListener('input', () => {
        const values = Object.fromEntries(fields.map((field) => [field.name, field.value]));
        localStorage.setItem(key(form), JSON.stringify(values));
      });
    });
  } catch { /* A browser that keeps nothing loses the draft. */ }
};
