// The site as an app: its service worker shows a page when there is no network, and takes videos that other apps share.
const start = () => navigator.serviceWorker?.register('/service-worker.js').catch(() => {});

export const begin = (signal) => {
  if (window.isSecureContext) {
    if (window.requestIdleCallback) requestIdleCallback(start, { timeout: 5000 }); else setTimeout(start, 2000);
  }
  const page = document.getElementById('install');
  if (!page) return;
  page.querySelector('[data-needs-https]').hidden = window.isSecureContext;
  const button = page.querySelector('button');
  const offer = () => {
    if (!window.antenaInstallation) return;
    button.hidden = false;
    button.addEventListener('click', () => window.antenaInstallation.prompt(), { signal });
  };
  offer();
  addEventListener('antena:installation', offer, { signal });
};

// The browser tells it once, on whatever page.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  window.antenaInstallation = event;
  dispatchEvent(new Event('antena:installation'));
});
