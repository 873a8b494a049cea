// Forms: an image that was chosen is shown before it is sent, and a form that is being sent is not sent twice.
const longestWait = 30000;

const showImage = (input) => {
  const [file] = input.files;
  let image = input.parentElement.querySelector('img.chosen');
  if (!file?.type.startsWith('image/')) { image?.remove(); return; }
  if (!image) {
    image = Object.assign(document.createElement('img'), { className: 'chosen picture', alt: '', height: 160 });
    input.after(image);
  }
  const reader = new FileReader();
  reader.addEventListener('load', () => { image.src = reader.result; });
  reader.readAsDataURL(file);
};

export const begin = (signal) => {
  document.addEventListener('change', ({ target }) => {
    if (target.matches?.('main form input[type=file]')) showImage(target);
  }, { signal });
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (form.method !== 'post' || event.defaultPrevented) return;
    if (form.getAttribute('aria-busy') === 'true') { event.preventDefault(); return; }
    form.setAttribute('aria-busy', 'true');
    // A download, or an answer that leaves the page as it is.
    setTimeout(() => form.removeAttribute('aria-busy'), longestWait);
  }, { signal });
  addEventListener('pageshow', () => document.querySelectorAll('form[aria-busy]').forEach((form) => form.removeAttribute('aria-busy')), { signal });
};
