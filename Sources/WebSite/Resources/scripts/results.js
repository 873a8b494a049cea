// Results: chosen ones are those of the files; a menu closes when one goes on.
export const begin = (signal) => {
  const files = [...document.querySelectorAll('[data-file]')].map((link) => ({ link, all: link.href }));
  const boxes = [...document.querySelectorAll('.results-table input[type=checkbox]')];
  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);
  const follow = () => {
    const ids = chosen();
    files.forEach(({ link, all }) => {
      const address = new URL(all);
      if (ids.length > 0) address.search = `?format=${address.searchParams.get('format')}&ids=${ids.join(',')}`;
      link.href = address.href;
    });
    document.querySelectorAll('.mailing input[name=ids]').forEach((field) => { field.value = ids.join(','); });
  };
  boxes.forEach((box) => {
    box.hidden = false;
    box.addEventListener('change', follow, { signal });
  });
  // A browser that goes back has kept them.
  follow();

  document.querySelectorAll('[data-print]').forEach((button) => {
    button.hidden = false;
    button.addEventListener('click', () => window.print(), { signal });
  });

  const menus = [...document.querySelectorAll('details[data-menu]')];
  menus.forEach((menu) => menu.addEventListener('toggle', () => {
    if (menu.open) menus.filter((other) => other !== menu).forEach((other) => { other.open = false; });
  }, { signal }));
  document.addEventListener('click', ({ target }) => {
    menus.filter((menu) => !menu.contains(target)).forEach((menu) => { menu.open = false; });
  }, { signal });
  document.addEventListener('keydown', ({ key }) => {
    const open = menus.find((menu) => menu.open);
    if (key !== 'Escape' || !open) return;
    open.open = false;
    open.querySelector('summary').focus();
  }, { signal });
};
