// Shows what is saved on this phone. Whether a place is open is looked up among the instants that the
// server worked out; when they have run out, only the date of the hours is shown.
(function () {
  "use strict";
  var box = document.getElementById("pocket");
  if (!box || !window.caches) return;
  var words = JSON.parse(box.dataset.words), language = document.documentElement.lang;
  var own = document.querySelector("link[rel=manifest]").getAttribute("href").replace("manifest.webmanifest", "saved");

  // Which packs somebody opened, closed or removed, and whether there is a connection.
  var opened = {}, removed = {}, isConnected = true;

  function fill(text, parts) {
    return text.replace(/\{(\w+)\}/g, function (_, name) { return parts[name]; });
  }

  function copy(id) {
    return document.getElementById(id).content.firstElementChild.cloneNode(true);
  }

  function slot(part, name) {
    return part.querySelector("[data-slot=" + name + "]");
  }

  function put(part, name, text) {
    var found = slot(part, name);
    if (text) found.textContent = text;
    else found.remove();
    return found;
  }

  function age(seconds) {
    var passed = seconds - Date.now() / 1000, form = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
    var unit = [["day", 86400], ["hour", 3600], ["minute", 60]].find(function (one) { return -passed >= one[1]; }) || ["minute", 60];
    return form.format(Math.round(passed / unit[1]), unit[0]);
  }

  function clock(seconds, zone, now) {
    var at = new Date(seconds * 1000), form = { hour: "numeric", minute: "2-digit", timeZone: zone };
    function day(date) { return date.toLocaleDateString("en", { timeZone: zone }); }
    if (day(at) !== day(new Date(now * 1000))) form.weekday = "long";
    return at.toLocaleString(language, form);
  }

  // [state, sentence] of a place at an instant, both in seconds since 1970.
  function stateOf(place, pack, now) {
    var stale = [null, place.as_of ? fill(words.stale, { date: place.as_of }) : words.stale_undated];
    if (!place.until || now >= place.until || now < pack.made_at) return stale;
    var spans = place.spans || [];
    var here = spans.filter(function (span) { return span[0] <= now && now < span[1]; }).sort(function (a, b) { return b[2] - a[2]; })[0];
    if (here && !here[2]) return ["unknown", ""];
    if (here) return ["open", here[1] < place.until ? fill(words.until, { time: clock(here[1], place.zone, now) }) : ""];
    var next = spans.filter(function (span) { return span[0] > now; }).sort(function (a, b) { return a[0] - b[0]; })[0];
    return ["closed", next && next[2] ? fill(words.opens, { time: clock(next[0], place.zone, now) }) : ""];
  }

  function placeOf(place, pack) {
    var part = copy("saved-place"), state = stateOf(place, pack, Date.now() / 1000), shown = slot(part, "state");
    var link = put(part, "name", place.name), call = put(part, "call", place.phone && place.call_url && fill(words.call, { phone: place.phone }));
    link.href = place.path;
    call.href = place.call_url;
    put(part, "distance", place.distance);
    put(part, "kind", place.kind);
    put(part, "address", place.address);
    put(part, "hours", place.hours);
    put(part, "dated", state[0] && place.as_of && fill(words.dated, { date: place.as_of }));
    if (state[0]) shown.append(copy("state-" + state[0]), " " + state[1]);
    else {
      shown.className = "doubt";
      shown.textContent = state[1];
    }
    listed(part, "notes", place.notes || []);
    var form = part.querySelector("form");
    form.dataset.waits = place.name;
    form.elements.id.value = place.id;
    return part;
  }

  function listed(part, name, texts) {
    var list = slot(part, name);
    texts.forEach(function (text) {
      var item = document.createElement("li");
      item.textContent = text;
      list.appendChild(item);
    });
    if (!texts.length) list.remove();
  }

  function packOf(pack, key, cache) {
    var part = copy("pack"), details = part.querySelector("details"), page = slot(part, "page");
    part.querySelector("summary").textContent = pack.title;
    page.href = pack.path;
    page.textContent = pack.kind === "place" ? words.page : fill(words.counted, { shown: pack.places.length, total: pack.total });
    put(part, "age", pack.as_of ? fill(words.age, { age: pack.as_of }) : "");
    listed(part, "contacts", (pack.contacts || []).map(function (one) {
      return [one.name, one.text, one.phone].filter(Boolean).join(", ");
    }));
    // An area has hundreds of places: they are made when somebody looks.
    details.addEventListener("toggle", function () {
      var list = slot(part, "places");
      opened[key.url] = details.open;
      if (details.open && !list.childElementCount) pack.places.forEach(function (place) { list.appendChild(placeOf(place, pack)); });
    });
    part.querySelector("button").addEventListener("click", function () {
      removed[key.url] = true;
      cache.delete(key).then(show);
    });
    details.open = key.url in opened ? opened[key.url] : pack.kind === "place" || pack.path === location.pathname + location.search;
    return part;
  }

  function reveal(id, isShown) {
    document.getElementById(id).hidden = !isShown;
  }

  function packs() {
    return caches.open("packs").then(function (cache) {
      return cache.keys().then(function (keys) {
        return Promise.all(keys.map(function (key) {
          return cache.match(key).then(function (stored) { return stored.json(); }).then(function (pack) { return [pack, key, cache]; });
        }));
      });
    });
  }

  function waiting() {
    return caches.open("queue").then(function (queue) {
      return queue.keys().then(function (keys) {
        return Promise.all(keys.map(function (key) {
          return queue.match(key).then(function (stored) { return stored.json(); }).then(function (entry) { return [entry, key, queue]; });
        }));
      });
    });
  }

  // One after another: a drawing that began before something was removed must not end after it.
  var drawn = Promise.resolve();
  function show() {
    drawn = drawn.then(draw, draw);
    return drawn;
  }

  function draw() {
    return Promise.all([packs(), waiting()]).then(function (found) {
      ["place", "area", "search"].forEach(function (kind) {
        var some = found[0].filter(function (one) { return one[0].kind === kind; }).reverse();
        document.querySelector("#" + kind + " .cards").replaceChildren.apply(document.querySelector("#" + kind + " .cards"), some.map(function (one) { return packOf.apply(null, one); }));
        reveal(kind, some.length);
      });
      var list = document.querySelector("#waiting ul");
      list.replaceChildren.apply(list, found[1].map(function (one) {
        var item = document.createElement("li"), button = document.createElement("button"), entry = one[0];
        item.textContent = entry.label + " (" + words[entry.problem ? "is_" + entry.problem : "is_waiting"] + ", " + age(entry.at / 1000) + ") ";
        button.type = "button";
        button.className = "quiet";
        button.textContent = words.discard;
        button.addEventListener("click", function () { one[2].delete(one[1]).then(show); });
        item.appendChild(button);
        return item;
      }));
      reveal("waiting", found[1].length);
      reveal("none", !found[0].length && !found[1].length);
      reveal("forget", found[0].length);
      var isElsewhere = location.pathname !== own, here = location.pathname + location.search;
      reveal("offline", !isConnected || isElsewhere);
      reveal("elsewhere", isElsewhere && !found[0].some(function (one) { return one[0].path === here; }));
      box.hidden = false;
    });
  }

  // Ask for this page: a phone may think that it is connected when it is not.
  function connect() {
    return fetch(own, { method: "HEAD", cache: "no-store" }).then(function () { isConnected = true; }, function () { isConnected = false; });
  }

  // With a connection what is saved is fetched again, but for searches; what somebody removes meanwhile stays removed.
  function refresh() {
    if (!isConnected) return;
    return packs().then(function (found) {
      return Promise.all(found.map(function (one) {
        if (one[0].kind === "search") return;
        var address = one[1].url, cache = one[2];
        return fetch(address, { cache: "no-cache" }).then(function (answer) {
          return cache.match(address).then(function (stored) { if (stored && answer.ok) return cache.put(address, answer); });
        }).then(function () { if (removed[address]) return cache.delete(address); });
      }));
    }).catch(function () {});
  }

  document.querySelector("#forget button").addEventListener("click", function () { caches.delete("packs").then(show); });
  if (navigator.serviceWorker) navigator.serviceWorker.addEventListener("message", show);
  ["online", "offline"].forEach(function (name) {
    window.addEventListener(name, function () { connect().then(show); });
  });
  show().then(connect).then(refresh).then(show);
})();
