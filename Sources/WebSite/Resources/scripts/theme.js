// Light or dark: the choice is a cookie, so that the server's pages have it from their first byte on.
export const begin = (signal) => {
  const button = document.querySelector('[data-theme-switch]');
  if (!button) return;
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);
  const show = () => { button.textContent = isDark() ? button.dataset.light : button.dataset.dark; };
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    document.cookie = `antena_theme=${root.dataset.theme}; Path=/; Max-Age=31536000; SameSite=Lax`;
    show();
  }, { signal });
  button.hidden = false;
  show();
};
