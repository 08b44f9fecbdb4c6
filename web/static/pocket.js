// Starts the service worker (sw.js), stores on the phone what its owner saves, and gives reports the key
// by which they count once. Pages work without it.
(function () {
  "use strict";
  if (!("serviceWorker" in navigator) || !window.caches) return;
  var manifest = document.querySelector("link[rel=manifest]");
  if (!manifest) return;
  var shell = manifest.getAttribute("href").replace("manifest.webmanifest", "saved");
  var DAY = 86400000, MAX_SEARCHES = 5, QUIET = 3000;
  var saves = navigator.connection && navigator.connection.saveData;

  // The page that shows what is saved, with the files that it needs; again when it is a day old.
  function storeShell() {
    return caches.open("shell").then(function (cache) {
      return cache.match(shell).then(function (stored) {
        if (stored && Date.now() - Date.parse(stored.headers.get("date")) < DAY) return;
        return fetch(shell, { cache: "no-cache" }).then(function (answer) {
          if (!answer.ok) throw new Error(answer.status);
          return answer.clone().text().then(function (text) {
            var files = Array.from(new Set(text.match(/\/static\/[\w.-]+/g)));
            return cache.addAll(files)
              .then(function () { return cache.put(shell, answer); })
              .then(function () { return cache.keys(); })
              .then(function (keys) {
                keys.forEach(function (key) {
                  var path = new URL(key.url).pathname;
                  if (path.indexOf("/static/") === 0 && files.indexOf(path) < 0) cache.delete(key);
                });
              });
          });
        });
      });
    });
  }

  // A pack that is fetched again may have been removed meanwhile, and stays removed.
  function storePack(address, isStored) {
    return Promise.all([caches.open("packs"), fetch(address), storeShell()]).then(function (done) {
      if (!done[1].ok) throw new Error(done[1].status);
      return Promise.resolve(!isStored || done[0].match(address)).then(function (wanted) {
        if (wanted) return done[0].put(address, done[1]);
      });
    });
  }

  function dropOldSearches() {
    return caches.open("packs").then(function (cache) {
      return cache.keys().then(function (keys) {
        var searches = keys.filter(function (key) { return key.url.indexOf("/packs/search.json") > 0; });
        return Promise.all(searches.slice(0, -MAX_SEARCHES).map(function (key) { return cache.delete(key); }));
      });
    });
  }

  function saveButton(part) {
    var address = part.dataset.save, button = part.querySelector("button"), status = part.querySelector("[role=status]");
    var save = button.textContent, done = status.firstElementChild;
    function show(isSaved) {
      button.textContent = isSaved ? button.dataset.remove : save;
      done.hidden = !isSaved;
    }
    part.hidden = false;
    caches.open("packs").then(function (cache) {
      cache.match(address).then(function (stored) {
        show(!!stored);
        if (stored && !saves) storePack(address, true).catch(function () {});
      });
      button.addEventListener("click", function () {
        button.disabled = true;
        cache.match(address).then(function (stored) {
          if (stored) return cache.delete(address).then(function () { show(false); });
          if (navigator.storage && navigator.storage.persist) navigator.storage.persist();
          return storePack(address).then(function () { show(true); });
        }).catch(function () {
          status.lastChild === done || status.lastChild.remove();
          status.append(status.dataset.failed);
        }).then(function () { button.disabled = false; });
      });
    });
  }

  // ---- reports: the same content keeps its key
  function hidden(form, name, value) {
    var field = form.querySelector("input[name=" + name + "]");
    if (!field) {
      field = document.createElement("input");
      field.type = "hidden";
      field.name = name;
      form.appendChild(field);
    }
    field.value = value;
  }

  function key() {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), function (n) { return n.toString(16).padStart(2, "0"); }).join("");
  }

  document.addEventListener("submit", function (event) {
    var form = event.target, chosen = event.submitter && event.submitter.name ? event.submitter : form.querySelector("select");
    if (form.dataset.waits === undefined) return;
    var what = chosen && chosen.options ? chosen.options[chosen.selectedIndex].text : chosen ? chosen.textContent : "";
    var data = new FormData(form);
    ["request_key", "request_label"].forEach(function (name) { data.delete(name); });
    var content = new URLSearchParams(data) + what;
    if (form.dataset.content !== content) hidden(form, "request_key", key());
    form.dataset.content = content;
    hidden(form, "request_label", [form.dataset.waits, what].filter(Boolean).join(": "));
  });

  document.querySelectorAll("[data-saved]").forEach(function (link) { link.hidden = false; });
  document.querySelectorAll("[data-save]").forEach(saveButton);
  window.addEventListener("load", function () {
    navigator.serviceWorker.register("/sw.js").then(function () {
      var list = document.querySelector("[data-search]");
      // A form that may wait needs the page that says so.
      if (document.querySelector("[data-waits]")) storeShell().catch(function () {});
      // After what the reader waits for.
      if (list && !saves) setTimeout(function () { storePack(list.dataset.search).then(dropOldSearches).catch(function () {}); }, QUIET);
    }).catch(function () {});
  });
  window.addEventListener("online", function () {
    navigator.serviceWorker.ready.then(function (found) { found.active.postMessage("queue"); });
  });
})();
