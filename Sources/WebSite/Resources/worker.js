'use strict';
// The service worker of the site: shows notifications while no page is open, a page of its own when there is no
// network, and takes the video that another app shares, for the page that sends videos.
const kept = 'antena-{{version}}';
const shared = 'antena-shared';
// The page of a tablet's matches, which scripts/tabletcache.js keeps with its files.
const tablet = 'antena-tablet';
const [offline, sharing, upload] = ['{{offline}}', '{{sharing}}', '{{upload}}'];

// The pages of matches are those of a tablet when there is no network, or one that does not answer in time.
const tabletPage = '{{tablet}}';
const matchPage = /^\/marcador(\/partidos\/|$)/;
const patience = 4000;

// Pages of accounts lead to other sites and back, which a worker may not follow; files are not pages.
const direct = /^\/(cuenta|operator|api|vod|live|signed|copies|site)(\/|$)/;

const keep = async () => {
  const cache = await caches.open(kept);
  const answer = await fetch(offline, { credentials: 'omit', headers: { Accept: 'text/html' } });
  if (!answer.ok) return;
  const page = await answer.clone().text();
  await cache.put(offline, answer);
  const parts = [...page.matchAll(/(?:href|src)="(\/site\/[^"]+\.(?:css|svg)|\/site\/[^"]+\/logo)"/g)].map(([, path]) => path);
  await Promise.all(parts.map((path) => cache.add(path).catch(() => {})));
};

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(keep().catch(() => {}));
});
self.addEventListener('activate', (event) => event.waitUntil((async () => {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith('antena-') && ![kept, shared, tablet].includes(name)).map((name) => caches.delete(name)));
  await self.clients.claim();
})()));

const page = async (event) => {
  try {
    return await fetch(event.request);
  } catch {
    return await caches.match(offline) || Response.error();
  }
};
const matchPageAnswer = async (event) => {
  const known = await caches.match(tabletPage, { cacheName: tablet, ignoreVary: true });
  if (!known) return page(event);
  let timer;
  const isLate = new Promise((resolve) => { timer = setTimeout(resolve, patience, known); });
  try {
    const answer = await Promise.race([fetch(event.request), isLate]);
    // A proxy answers for a server that is away.
    return [502, 503, 504].includes(answer.status) ? known : answer;
  } catch {
    return known;
  } finally {
    clearTimeout(timer);
  }
};
// Files with a version in their address never change.
const file = async (request) => await caches.match(request, { cacheName: tablet, ignoreVary: true }) || fetch(request);
const take = async (request) => {
  const file = (await request.formData()).get('video');
  if (file && file.size > 0) {
    const cache = await caches.open(shared);
    await cache.put(sharing, new Response(file, {
      headers: { 'Content-Type': file.type || 'application/octet-stream', 'X-File-Name': encodeURIComponent(file.name || 'video') },
    }));
  }
  return Response.redirect(upload, 303);
};
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (address.origin !== self.location.origin) return;
  if (request.method === 'POST') {
    if (address.pathname === sharing) event.respondWith(take(request));
  } else if (request.mode === 'navigate' && matchPage.test(address.pathname)) {
    event.respondWith(matchPageAnswer(event));
  } else if (request.mode === 'navigate' && !direct.test(address.pathname)) {
    event.respondWith(page(event));
  } else if (address.pathname.startsWith('/site/') && request.destination === 'script') {
    event.respondWith(file(request));
  } else if (address.pathname.startsWith('/site/')) {
    event.respondWith(fetch(request).catch(async () => await caches.match(request) || Response.error()));
  }
});

self.addEventListener('push', (event) => {
  if (!event.data) return;
  const { text, path, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification('{{name}}', {
    body: text, tag, data: { path }, icon: '{{icon}}',
  }));
});
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const address = new URL(event.notification.data.path, self.location.origin);
  if (address.origin !== self.location.origin) return;
  event.waitUntil(self.clients.openWindow(address.href));
});
