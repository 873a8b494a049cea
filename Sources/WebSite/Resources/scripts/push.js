// Push messages: the browser asks its push service for an address, which the form sends.
export const begin = (signal) => {
  const form = document.querySelector('form[data-push]');
  if (!form || !window.isSecureContext || !navigator.serviceWorker || !window.PushManager) return;
  const wrong = form.querySelector('.wrong');
  const bytes = (text) => Uint8Array.from(
    atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
  const activated = (registration) => new Promise((resolve) => {
    if (registration.active) { resolve(); return; }
    const worker = registration.installing || registration.waiting;
    worker.addEventListener('statechange', () => { if (worker.state === 'activated') resolve(); });
  });
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    wrong.textContent = '';
    try {
      const registration = await navigator.serviceWorker.register('/service-worker.js');
      await activated(registration);
      const subscription = await registration.pushManager.subscribe({
        userVisibleOnly: true, applicationServerKey: bytes(form.dataset.push),
      });
      const { endpoint, keys } = subscription.toJSON();
      form.elements.endpoint.value = endpoint;
      form.elements.p256dh.value = keys.p256dh;
      form.elements.auth.value = keys.auth;
      form.submit();
    } catch {
      wrong.textContent = form.dataset.failure;
    }
  });
};
