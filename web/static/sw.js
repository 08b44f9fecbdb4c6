// The service worker: what was saved on the phone opens without a connection, and reports wait until there is one.
// It stores nothing by itself but reports: pages store what people save (pocket.js), saved.js shows it.
"use strict";
const SHELL = "shell", QUEUE = "queue", FORM = "application/x-www-form-urlencoded";
const WEEK = 7 * 86400000;
const ALWAYS_ONLINE = /^\/(api|admin|exports|releases|hsds)\b/;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  const preload = self.registration.navigationPreload;
  event.waitUntil(Promise.all([self.clients.claim(), preload && preload.enable()]));
});

self.addEventListener("fetch", (event) => {
  const request = event.request, url = new URL(request.url);
  if (url.origin !== location.origin || ALWAYS_ONLINE.test(url.pathname)) return;
  if (request.mode !== "navigate") {
    // Files have their digest in their name: the stored one is the same.
    if (url.pathname.startsWith("/static/")) event.respondWith(caches.match(request).then((stored) => stored || fetch(request)));
  } else if (request.method === "GET") {
    event.respondWith(pageOf(event, url));
  } else if (request.method === "POST") {
    event.respondWith(posted(request, url));
  }
});

async function pageOf(event, url) {
  try {
    const answer = (await event.preloadResponse) || (await fetch(event.request));
    event.waitUntil(flush().catch(() => {}));
    return answer;
  } catch (problem) {
    const path = await shellOf(url);
    return (path && (await caches.match(path))) || Response.error();
  }
}

// The stored page that shows what is saved, in the language of an address: /saved, /es/saved.
async function shellOf(url) {
  const pages = (await (await caches.open(SHELL)).keys()).map((key) => new URL(key.url).pathname).filter((path) => path.endsWith("/saved"));
  const fitting = pages.filter((path) => url.pathname.startsWith(path.slice(0, -5)));
  return fitting.sort((a, b) => b.length - a.length)[0] || pages[0];
}

// ---- reports

// Until when a report may be sent: feedback and new places for a week, "closed today" on its day only. 0: it cannot wait.
function lastInstant(url, form) {
  if (!form.get("request_key")) return 0;
  if (/\/(feedback|add)$/.test(url.pathname)) return Date.now() + WEEK;
  if (url.pathname.includes("/pantry/manage/") && form.get("action") === "report") return new Date().setHours(24, 0, 0, 0);
  return 0;
}

async function posted(request, url) {
  const copy = request.clone();
  try {
    return await fetch(request);
  } catch (problem) {
    const body = await copy.text(), form = new URLSearchParams(body);
    const until = lastInstant(url, form), path = await shellOf(url);
    if (!until || !path) return Response.error();
    const entry = { url: url.pathname, body, until, at: Date.now(), label: form.get("request_label") || "" };
    await store(form.get("request_key"), entry);
    if (self.registration.sync) await self.registration.sync.register(QUEUE).catch(() => {});
    return Response.redirect(path + "#waiting", 303);
  }
}

async function store(key, entry) {
  const queue = await caches.open(QUEUE);
  await queue.put("/queue/" + encodeURIComponent(key), new Response(JSON.stringify(entry)));
}

let running = null;
// Send what waits. Rejects while there is no connection. The key of a report makes it count once, however often it is sent.
function flush() {
  running = running || send().finally(() => { running = null; });
  return running;
}

async function send() {
  const queue = await caches.open(QUEUE);
  let changed = false;
  for (const key of await queue.keys()) {
    const stored = await queue.match(key), entry = stored && (await stored.json());
    if (!entry || entry.problem) continue;
    let problem = "late";
    if (Date.now() < entry.until) {
      const answer = await fetch(entry.url, { method: "POST", headers: { "content-type": FORM }, body: entry.body, redirect: "manual" });
      if (answer.status >= 500 || answer.status === 429 || answer.status === 408) continue;
      problem = answer.ok || answer.type === "opaqueredirect" ? "" : "refused";
    }
    changed = true;
    if (problem) await queue.put(key, new Response(JSON.stringify({ ...entry, body: "", problem })));
    else await queue.delete(key);
  }
  if (changed) for (const client of await self.clients.matchAll()) client.postMessage(QUEUE);
}

self.addEventListener("sync", (event) => { if (event.tag === QUEUE) event.waitUntil(flush()); });
self.addEventListener("message", (event) => { if (event.data === QUEUE) event.waitUntil(flush().catch(() => {})); });
