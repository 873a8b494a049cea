// Sharing: by the browser's own dialog, otherwise through the clipboard, otherwise by the field with the address.
export const begin = (signal) => {
  [...document.querySelectorAll('details[data-share]')].forEach((box) => {
    const field = box.querySelector('input');
    const open = () => { box.open = true; };
    box.addEventListener('toggle', () => { if (box.open) field.select(); });
    box.querySelector('summary').addEventListener('click', (event) => {
      if (box.open) return;
      if (navigator.share) {
        event.preventDefault();
        navigator.share({ title: box.dataset.name, text: box.dataset.text, url: field.value })
          .catch((error) => { if (error.name !== 'AbortError') open(); });
      } else if (navigator.clipboard) {
        event.preventDefault();
        navigator.clipboard.writeText(field.value)
          .then(() => { box.nextElementSibling.textContent = box.dataset.copied; }).catch(open);
      }
    });
  });
};
