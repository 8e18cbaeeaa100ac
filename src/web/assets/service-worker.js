/** Shows one page in words where the garden cannot be reached, and keeps nothing else: all answers are the server's. */
const offline = new URL('offline/', registration.scope).href;

addEventListener('install', (event) => {
  skipWaiting();
  event.waitUntil(keepPage());
});

async function keepPage() {
  const response = await fetch(offline, { cache: 'reload' });
  if (!response.ok) throw new Error(`${offline} answered ${response.status}`);
  // A cache of its own for each garden of this origin.
  await (await caches.open(offline)).put(offline, response);
}

addEventListener('activate', (event) => {
  // The request leaves while the worker still starts, so no page is later for it.
  event.waitUntil(Promise.all([clients.claim(), registration.navigationPreload?.enable()]));
});

addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(answer(event));
});

async function answer({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (error) {
    const kept = await caches.match(offline, { cacheName: offline });
    if (kept) return kept;
    throw error;
  }
}
