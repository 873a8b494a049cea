'use strict';
// The service worker of the site: shows what members are told while no page is open.
self.addEventListener('push', (event) => {
  if (!event.data) return;
  const { text, path, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification('Antena', {
    body: text, tag, data: { path }, icon: '/site/icon.svg',
  }));
});
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const address = new URL(event.notification.data.path, self.location.origin);
  if (address.origin !== self.location.origin) return;
  event.waitUntil(self.clients.openWindow(address.href));
});
