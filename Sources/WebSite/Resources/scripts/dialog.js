// A button opens a dialog of the page, and Esc, its own button or the browser's way back close it.
export const begin = (signal) => {
  document.querySelectorAll('[data-dialog]').forEach((opener) => {
    const dialog = document.getElementById(opener.dataset.dialog);
    if (!dialog?.showModal) return;
    const player = () => dialog.querySelector('[data-player]')?.antenaPlayer ?? dialog.querySelector('video, audio');
    opener.addEventListener('click', (event) => {
      event.preventDefault();
      history.pushState({ ...history.state, dialog: dialog.id }, '');
      dialog.showModal();
      player()?.play()?.catch?.(() => {});
    }, { signal });
    dialog.addEventListener('close', () => {
      player()?.pause();
      if (history.state?.dialog === dialog.id) history.back();
    }, { signal });
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog || event.target.closest('[data-close]')) dialog.close();
    }, { signal });
    addEventListener('popstate', () => { if (dialog.open) dialog.close(); }, { signal });
  });
};
