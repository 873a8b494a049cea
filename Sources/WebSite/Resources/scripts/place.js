// The place of a video is where the browser is, if somebody wants that.
export const begin = (signal) => {
  if (!navigator.geolocation || !window.isSecureContext) return;
  [...document.querySelectorAll('[data-place]')].forEach((place) => {
    const [button, state] = ['button', '[role=status]'].map((selector) => place.querySelector(selector));
    const field = (name) => place.closest('form').elements[name];
    place.hidden = false;
    button.addEventListener('click', () => {
      state.textContent = '';
      button.disabled = true;
      navigator.geolocation.getCurrentPosition(({ coords }) => {
        button.disabled = false;
        // Five decimals are a metre.
        field('latitude').value = coords.latitude.toFixed(5);
        field('longitude').value = coords.longitude.toFixed(5);
      }, () => {
        button.disabled = false;
        state.textContent = place.dataset.failure;
      }, { enableHighAccuracy: true, timeout: 20000 });
    });
  });
};
