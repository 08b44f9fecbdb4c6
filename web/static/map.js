// The interactive map of results, or of one place, loaded only when somebody opens it: all places of the search that its
// address holds, on a map with streets. The list has the same places, so the map itself is left to those who see it.
(function () {
  "use strict";
  var box = document.querySelector(".live-map");
  if (!box || !window.WebGLRenderingContext) return;
  var data = JSON.parse(box.getAttribute("data-map"));
  var words = data.words;
  // What a style of another service may call by the same name is ours by its prefix.
  var OURS = { count: 1, sign: 1, city: 1, town: 1, street: 1, space: 1, start: 1 };
  // Pins nearer than that become one; pixels.
  var PIN = 30, LAST_ZOOM = 18;
  var map = null, pins = [], key = box.parentNode.querySelector(".key"), details = document.getElementById("map");

  // Asked when it is needed: the colours of the map are those of the box.
  function colour(name) {
    return getComputedStyle(box).getPropertyValue("--" + name).trim();
  }

  function element(name, text, parent) {
    var made = document.createElement(name);
    made.textContent = text;
    parent.appendChild(made);
    return made;
  }

  var section = box.closest(".place-map");
  if (section) section.hidden = false;
  var bar = document.createElement("p");
  bar.className = "actions";
  box.parentNode.insertBefore(bar, box);
  var button = element("button", words.open, bar);
  // Above the button: who is asked is said before anybody is.
  var hint = element("p", words.open_hint, bar.parentNode);
  bar.parentNode.insertBefore(hint, bar);
  button.type = "button";
  button.className = "quiet";
  button.setAttribute("aria-expanded", "false");
  hint.className = "small soft";
  hint.setAttribute("role", "status");

  var missing = "";
  function say(text) {
    hint.textContent = text;
  }

  // "Search here" after the map was moved: the same search around its middle.
  var here = element("a", words.here, bar);
  here.className = "button";
  here.hidden = true;

  function offer() {
    var middle = map.getCenter(), bounds = map.getBounds(), query = new URLSearchParams(data.query);
    var miles = Math.max(
      middle.distanceTo(new maplibregl.LngLat(bounds.getEast(), middle.lat)),
      middle.distanceTo(new maplibregl.LngLat(middle.lng, bounds.getNorth()))
    ) / 1609.344;
    here.hidden = false;
    query.set("q", "@" + middle.lat.toFixed(3) + ", " + middle.wrap().lng.toFixed(3));
    query.set("radius", Math.min(Math.max(miles, 0.3), 499).toFixed(1));
    here.href = data.page + "?" + query + "#map";
  }

  function load(address) {
    return new Promise(function (done, failed) {
      var script = document.createElement("script");
      script.src = address;
      script.onload = done;
      script.onerror = failed;
      document.head.appendChild(script);
    });
  }

  function loadLibrary() {
    var style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = data.style;
    document.head.appendChild(style);
    return load(data.script);
  }

  // The style of the street map; none if there is none, or it does not answer, which the words then say.
  function loadStreets() {
    if (!data.streets) return Promise.resolve(null);
    return Promise.all(data.streets.scripts.map(load)).then(function () {
      return window.streetStyle(data.streets, colour, data);
    }).catch(function (problem) {
      missing = problem.isOutside ? words.outside : words.no_streets;
      return null;
    });
  }

  // Text and signs without font files: each is drawn once, as an image. A state has a sign, not only a colour.
  var SIGNS = { open: [[6, 10.5], [9, 13.5], [14, 7]], closed: [[7, 7], [13, 13], null, [13, 7], [7, 13]], unknown: [[7.5, 8], [8.5, 6], [11.5, 6], [12.5, 8], [10, 10.5], [10, 12], null, [10, 14], [10, 14.5]] };
  var COLOURS = { open: "good", closed: "bad", unknown: "warn" };

  function sign(pen, status, ratio) {
    pen.scale(ratio, ratio);
    pen.lineWidth = 2;
    pen.lineCap = "round";
    pen.strokeStyle = colour(COLOURS[status]);
    pen.fillStyle = colour("paper");
    pen.beginPath();
    pen.arc(10, 10, 8.5, 0, 7);
    pen.fill();
    pen.stroke();
    pen.beginPath();
    SIGNS[status].forEach(function (point, n) {
      if (point) pen[n && SIGNS[status][n - 1] ? "lineTo" : "moveTo"](point[0], point[1]);
    });
    pen.stroke();
  }

  // `count` and the names of places and streets are text; the start is a ring around a dot; `space` is empty, for names to
  // keep away from a pin above it.
  function label(id) {
    var cut = id.indexOf("|"), kind = id.slice(0, cut), text = id.slice(cut + 1);
    if (cut < 0 || !OURS[kind]) return;
    var ratio = window.devicePixelRatio || 1, isDrawn = kind === "sign" || kind === "space" || id === "start|";
    var canvas = document.createElement("canvas");
    var pen = canvas.getContext("2d", { willReadFrequently: true });
    var isBold = kind === "count" || kind === "city" || kind === "start";
    var font = (isBold ? "700 " : "") + (kind === "street" ? 12 : 13) * ratio + "px system-ui, sans-serif";
    pen.font = font;
    var size = kind === "space" ? 32 : 20;
    canvas.width = isDrawn ? size * ratio : Math.ceil(pen.measureText(text).width) + 8 * ratio;
    canvas.height = (isDrawn ? size : 18) * ratio;
    if (kind === "sign") {
      sign(pen, text, ratio);
    } else if (id === "start|") {
      pen.scale(ratio, ratio);
      [["paper", 10], ["focus", 8], ["paper", 5], ["focus", 3]].forEach(function (ring) {
        pen.fillStyle = colour(ring[0]);
        pen.beginPath();
        pen.arc(10, 10, ring[1], 0, 7);
        pen.fill();
      });
    } else if (kind !== "space") {
      pen.font = font;
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.lineJoin = "round";
      pen.lineWidth = 4 * ratio;
      pen.strokeStyle = colour(kind === "street" ? "road" : "paper");
      if (kind !== "count") pen.strokeText(text, canvas.width / 2, canvas.height / 2);
      pen.fillStyle = colour({ count: "accent", start: "focus", city: "ink" }[kind] || "soft");
      pen.fillText(text, canvas.width / 2, canvas.height / 2);
    }
    map.addImage(id, pen.getImageData(0, 0, canvas.width, canvas.height), { pixelRatio: ratio });
  }

  function base(name, minzoom, maxzoom) {
    return [
      { id: name + "-lines", type: "line", source: name, minzoom: minzoom, maxzoom: maxzoom, filter: ["==", ["geometry-type"], "LineString"], paint: { "line-color": colour("edge"), "line-width": 1 } },
      { id: name + "-towns", type: "symbol", source: name, minzoom: minzoom, maxzoom: maxzoom, filter: ["==", ["geometry-type"], "Point"], layout: { "icon-image": ["concat", "town|", ["get", "name"]], "symbol-sort-key": ["get", "rank"], "icon-padding": 6 } }
    ];
  }

  // Borders and towns of the release: what there is without a street map.
  function plain() {
    var made = { sources: {}, layers: [{ id: "ground", type: "background", paint: { "background-color": colour("wash") } }] };
    [["nation", 0, data.state ? 6 : 24], ["state", 6, 24]].forEach(function (one) {
      if (!data[one[0]]) return;
      made.sources[one[0]] = { type: "geojson", data: data[one[0]], attribution: words.sources };
      made.layers = made.layers.concat(base.apply(null, one));
    });
    return made;
  }

  function points(places) {
    return { type: "FeatureCollection", features: places.map(function (place) { return { type: "Feature", properties: {}, geometry: { type: "Point", coordinates: [place.lng, place.lat] } }; }) };
  }

  // Names give way to what is above them: to pins, to the numbers of rings, to the start.
  function style(under, dots) {
    var start = data.start ? [data] : [];
    return Object.assign({}, under, {
      version: 8,
      sources: Object.assign({}, under.sources, {
        places: { type: "geojson", data: dots, cluster: true, clusterRadius: 48, clusterMaxZoom: 16 },
        pins: { type: "geojson", data: points(data.places) },
        start: { type: "geojson", data: points(start) }
      }),
      layers: under.layers.concat([
        { id: "start-name", type: "symbol", source: "start", layout: { "icon-image": "start|" + data.start, "icon-offset": [0, 24] } },
        { id: "clusters", type: "circle", source: "places", filter: ["has", "point_count"], paint: { "circle-color": colour("paper"), "circle-stroke-color": colour("accent"), "circle-stroke-width": 2, "circle-radius": ["interpolate", ["linear"], ["get", "point_count"], 2, 15, 100, 20, 2000, 28] } },
        { id: "counts", type: "symbol", source: "places", filter: ["has", "point_count"], layout: { "icon-image": ["concat", "count|", ["to-string", ["get", "point_count"]]] } },
        { id: "dots", type: "symbol", source: "places", filter: ["!", ["has", "point_count"]], layout: { "icon-image": ["concat", "sign|", ["get", "status"]], "icon-allow-overlap": true } },
        { id: "start", type: "symbol", source: "start", layout: { "icon-image": "start|", "icon-allow-overlap": true } },
        { id: "pins", type: "symbol", source: "pins", layout: { "icon-image": "space|", "icon-allow-overlap": true } }
      ])
    });
  }

  // "1-3, 7": as the drawing has it.
  function inRuns(numbers) {
    var runs = [];
    numbers.forEach(function (number) {
      var last = runs[runs.length - 1];
      if (last && number === last[1] + 1) last[1] = number;
      else runs.push([number, number]);
    });
    return runs.map(function (run) { return run[0] === run[1] ? run[0] : run[0] + "-" + run[1]; }).join(", ");
  }

  function widthOf(group) {
    return Math.max(PIN, 14 + 8 * inRuns(group.map(function (place) { return place.n; })).length);
  }

  function middleOf(group) {
    var sum = group.reduce(function (found, place) {
      var at = map.project([place.lng, place.lat]);
      return [found[0] + at.x, found[1] + at.y];
    }, [0, 0]);
    return [sum[0] / group.length, sum[1] / group.length];
  }

  // Pins of the list that would cover each other at this zoom become one with all their numbers.
  function number() {
    var groups = data.places.map(function (place) { return [place]; }), joined = true;
    while (joined) {
      joined = false;
      for (var a = 0; a < groups.length; a++) {
        for (var b = a + 1; b < groups.length; b++) {
          var one = middleOf(groups[a]), other = middleOf(groups[b]);
          if (Math.abs(one[0] - other[0]) >= (widthOf(groups[a]) + widthOf(groups[b])) / 2 || Math.abs(one[1] - other[1]) >= PIN) continue;
          groups[a] = groups[a].concat(groups.splice(b--, 1)[0]).sort(function (x, y) { return x.n - y.n; });
          joined = true;
        }
      }
    }
    var signs = groups.map(function (group) { return group.map(function (place) { return place.n; }).join(); }).join(";");
    if (signs === pins.signs) return;
    var focused = pins.filter(function (one) { return one.element === document.activeElement; })[0];
    pins.forEach(function (one) { one.marker.remove(); });
    pins = groups.map(pin);
    pins.signs = signs;
    if (focused) pins.forEach(function (one) { if (one.group.indexOf(focused.group[0]) >= 0) one.element.focus(); });
  }

  function pin(group) {
    var first = group[0], numbers = inRuns(group.map(function (place) { return place.n; }));
    // One leads to its card; several open; the page of a place has no list.
    var made = document.createElement(!first.n ? "span" : group.length > 1 ? "button" : "a");
    var name = first.n ? numbers + ": " + first.name : first.name;
    made.className = "live-pin" + (first.n ? "" : " alone") + (group.every(function (place) { return place.rough; }) ? " rough" : "");
    made.textContent = numbers;
    made.title = first.name;
    if (!first.n) made.setAttribute("role", "img");
    else if (group.length === 1) made.href = "#result-" + first.n;
    if (group.length > 1) {
      name = words.marker.replace("{numbers}", numbers);
      made.type = "button";
      made.removeAttribute("title");
      made.addEventListener("click", function (event) {
        event.stopPropagation();
        separate(group);
      });
    }
    var marker = new maplibregl.Marker({ element: made }).setLngLat(group.length > 1 ? map.unproject(middleOf(group)) : [first.lng, first.lat]).addTo(map);
    // The library has just called it a marker.
    made.setAttribute("aria-label", name);
    return { marker: marker, element: made, group: group };
  }

  // Zoom until the pins part; those of one spot are told by name.
  function separate(group) {
    var spread = 0, scale = Math.pow(2, LAST_ZOOM - map.getZoom());
    group.forEach(function (place) {
      var one = map.project([place.lng, place.lat]), other = map.project([group[0].lng, group[0].lat]);
      spread = Math.max(spread, Math.hypot(one.x - other.x, one.y - other.y));
    });
    if (spread * scale > 2 * PIN) {
      var bounds = new maplibregl.LngLatBounds();
      group.forEach(function (place) { bounds.extend([place.lng, place.lat]); });
      map.fitBounds(bounds, { padding: 70, maxZoom: LAST_ZOOM });
    } else {
      tell([group[0].lng, group[0].lat], group.map(function (place) { return { href: "#result-" + place.n, before: place.n + ": ", name: place.name, after: "" }; }));
    }
  }

  // List and map point at each other.
  data.places.forEach(function (place) {
    var card = document.getElementById("result-" + place.n);
    if (!card) return;
    [["mouseenter", true], ["focusin", true], ["mouseleave", false], ["focusout", false]].forEach(function (one) {
      card.addEventListener(one[0], function () {
        pins.forEach(function (own) {
          if (own.group.indexOf(place) >= 0) own.element.classList.toggle("chosen-pin", one[1]);
        });
      });
    });
  });

  function tell(at, lines) {
    var list = document.createElement("ul");
    lines.forEach(function (line) {
      var link = document.createElement("a"), name = document.createElement("span");
      link.href = line.href;
      // Names are as their publishers write them.
      name.lang = "en";
      name.textContent = line.name;
      link.append(line.before, name, line.after);
      element("li", "", list).appendChild(link);
    });
    new maplibregl.Popup({ offset: 10, maxWidth: "260px" }).setLngLat(at).setDOMContent(list).addTo(map);
  }

  function tellPlaces(at, features) {
    var seen = {};
    tell(at, features.filter(function (one) {
      return !seen[one.properties.id] && (seen[one.properties.id] = true);
    }).map(function (one) {
      return { href: data.place + one.properties.id, before: "", name: one.properties.name, after: ": " + words.statuses[one.properties.status] };
    }));
  }

  // A ring opens: the map zooms until its places part, or names them where they are at one spot.
  function choose(event) {
    var near = [[event.point.x - 10, event.point.y - 10], [event.point.x + 10, event.point.y + 10]];
    var found = map.queryRenderedFeatures(near, { layers: ["clusters", "dots"].filter(function (id) { return map.getLayer(id); }) });
    if (!found.length) return;
    var ring = found.filter(function (one) { return one.properties.cluster; })[0];
    if (!ring) return tellPlaces(found[0].geometry.coordinates, found);
    var at = ring.geometry.coordinates, number = ring.properties.cluster_id, source = map.getSource("places");
    source.getClusterExpansionZoom(number).then(function (zoom) {
      if (zoom <= 16) return map.easeTo({ center: at, zoom: zoom });
      return source.getClusterLeaves(number, 50, 0).then(function (leaves) { tellPlaces(at, leaves); });
    });
  }

  function draw(found, streets) {
    // The numbers of the list stand for their own places.
    var listed = data.places.map(function (place) { return place.id; });
    var dots = { type: found.type, features: found.features.filter(function (one) { return listed.indexOf(one.properties.id) < 0; }) };
    var bounds = new maplibregl.LngLatBounds();
    if (data.start) bounds.extend([data.lng, data.lat]);
    data.places.forEach(function (place) {
      bounds.extend([place.lng, place.lat]);
    });
    var isStreets = !!streets, hasTile = false;
    map = new maplibregl.Map({
      container: box,
      style: style(streets || plain(), dots),
      bounds: bounds,
      fitBoundsOptions: { padding: 50, maxZoom: 15 },
      maxZoom: LAST_ZOOM,
      cooperativeGestures: false,
      dragRotate: false,
      attributionControl: { compact: true },
      locale: {
        "NavigationControl.ZoomIn": words.zoom_in,
        "NavigationControl.ZoomOut": words.zoom_out,
        "NavigationControl.ResetBearing": words.reset,
        "GeolocateControl.FindMyLocation": words.locate,
        "GeolocateControl.LocationNotAvailable": words.locate_failed,
        "Popup.Close": words.close_popup,
        "Map.Title": words.map,
        "AttributionControl.ToggleAttribution": words.attribution
      }
    });
    map.touchZoomRotate.disableRotation();
    map.addControl(new maplibregl.NavigationControl({ showCompass: false }), "top-right");
    if (data.locates && navigator.geolocation && window.isSecureContext) {
      map.addControl(new maplibregl.GeolocateControl({ fitBoundsOptions: { maxZoom: 15 } }), "top-right");
    }
    map.on("styleimagemissing", function (event) {
      label(event.id);
    });
    map.on("data", function (event) {
      if (isStreets && event.tile && streets.sources[event.sourceId]) hasTile = true;
    });
    // Streets whose first tiles do not come: the map without them.
    map.on("error", function (event) {
      if (!isStreets || hasTile || !streets.sources[event.sourceId]) return;
      isStreets = false;
      missing = words.no_streets;
      map.setStyle(style(plain(), dots), { diff: false });
      done();
    });
    map.on("click", choose);
    ["dots", "clusters"].forEach(function (layer) {
      map.on("mouseenter", layer, function () {
        map.getCanvas().style.cursor = "pointer";
      });
      map.on("mouseleave", layer, function () {
        map.getCanvas().style.cursor = "";
      });
    });
    number();
    map.on("zoomend", number);

    function done() {
      map.once("idle", function () {
        box.setAttribute("data-ready", isStreets ? "streets" : "plain");
        var about = found.total === undefined ? "" : (found.total > found.features.length ? words.some_places : words.all_places).replace("{shown}", found.features.length).replace("{total}", found.total);
        say((missing + " " + about).trim());
      });
    }
    done();
    if (data.query) map.once("idle", function () { map.on("moveend", offer); });
  }

  function cover(isCovered) {
    var drawn = box.parentNode.querySelector(".drawn-map");
    if (drawn) drawn.classList.toggle("covered", isCovered);
  }

  function open() {
    box.hidden = key.hidden = false;
    button.textContent = words.close;
    button.setAttribute("aria-expanded", "true");
    cover(true);
    if (map) return;
    say(words.loading);
    var places = data.query ? fetch("/search/places.geojson?" + data.query).then(function (answer) { return answer.json(); }) : { type: "FeatureCollection", features: [] };
    Promise.all([places, loadLibrary().then(loadStreets)])
      .then(function (done) { draw(done[0], done[1]); })
      .catch(function () {
        close();
        say(words.failed);
      });
  }

  function close() {
    box.hidden = key.hidden = here.hidden = true;
    button.textContent = words.open;
    button.setAttribute("aria-expanded", "false");
    cover(false);
    if (!details || details.open) button.focus();
  }

  button.addEventListener("click", function () {
    if (box.hidden) open();
    else close();
  });

  // "Search here" asks for the map again. A link from elsewhere does not: who is asked is said first.
  if (location.hash === "#map" && details) {
    details.open = true;
    if (document.referrer.indexOf(location.origin + "/") === 0) open();
  }
})();
