// The main button of a title's page plays it where it is on the page.
export const begin = (signal) => {
  document.querySelectorAll('[data-play-here]').forEach((button) => button.addEventListener('click', (event) => {
    const root = document.querySelector('main [data-player]');
    if (!root?.antenaPlayer) return;
    event.preventDefault();
    root.scrollIntoView({ block: 'nearest' });
    root.antenaPlayer.play();
  }, { signal }));
};
