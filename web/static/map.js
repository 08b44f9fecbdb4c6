// The interactive map of results, loaded only when somebody opens it: all places of the search that its address
// holds. The list has the same places, so the map itself is left to those who see it.
(function () {
  "use strict";
  var box = document.querySelector(".live-map");
  if (!box || !window.WebGLRenderingContext) return;
  var data = JSON.parse(box.getAttribute("data-map"));
  var words = data.words;
  var colours = getComputedStyle(document.documentElement);
  var map = null, key = box.parentNode.querySelector(".key"), details = document.getElementById("map");

  function colour(name) {
    return colours.getPropertyValue("--" + name).trim();
  }

  function element(name, text, parent) {
    var made = document.createElement(name);
    made.textContent = text;
    parent.appendChild(made);
    return made;
  }

  var bar = document.createElement("p");
  bar.className = "actions";
  box.parentNode.insertBefore(bar, box);
  var button = element("button", words.open, bar);
  var hint = element("p", words.open_hint, bar.parentNode);
  box.parentNode.insertBefore(hint, box);
  button.type = "button";
  button.className = "quiet";
  button.setAttribute("aria-expanded", "false");
  hint.className = "small soft";
  hint.setAttribute("role", "status");

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
    query.set("q", "@" + middle.lat.toFixed(3) + ", " + middle.wrap().lng.toFixed(3));
    query.set("radius", Math.min(Math.max(miles, 0.3), 499).toFixed(1));
    here.href = data.page + "?" + query + "#map";
    here.hidden = false;
  }

  function load(done, failed) {
    var style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = data.style;
    document.head.appendChild(style);
    var script = document.createElement("script");
    script.src = data.script;
    script.onload = done;
    script.onerror = failed;
    document.head.appendChild(script);
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

  function label(id) {
    var parts = id.split("|"), isCount = parts[0] === "count", isSign = parts[0] === "sign";
    var ratio = window.devicePixelRatio || 1;
    var canvas = document.createElement("canvas");
    var pen = canvas.getContext("2d");
    var font = (isCount ? "700 " : "") + 13 * ratio + "px system-ui, sans-serif";
    pen.font = font;
    canvas.width = isSign ? 20 * ratio : Math.ceil(pen.measureText(parts[1]).width) + 8 * ratio;
    canvas.height = (isSign ? 20 : 18) * ratio;
    if (isSign) {
      sign(pen, parts[1], ratio);
    } else {
      pen.font = font;
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.lineWidth = 3 * ratio;
      pen.strokeStyle = colour("paper");
      if (!isCount) pen.strokeText(parts[1], canvas.width / 2, canvas.height / 2);
      pen.fillStyle = colour(isCount ? "accent" : "soft");
      pen.fillText(parts[1], canvas.width / 2, canvas.height / 2);
    }
    map.addImage(id, pen.getImageData(0, 0, canvas.width, canvas.height), { pixelRatio: ratio });
  }

  function base(name, minzoom, maxzoom) {
    return [
      { id: name + "-lines", type: "line", source: name, minzoom: minzoom, maxzoom: maxzoom, filter: ["==", ["geometry-type"], "LineString"], paint: { "line-color": colour("edge"), "line-width": 1 } },
      { id: name + "-towns", type: "symbol", source: name, minzoom: minzoom, maxzoom: maxzoom, filter: ["==", ["geometry-type"], "Point"], layout: { "icon-image": ["concat", "town|", ["get", "name"]], "symbol-sort-key": ["get", "rank"], "icon-padding": 6 } }
    ];
  }

  function style(dots) {
    var sources = { places: { type: "geojson", data: dots, cluster: true, clusterRadius: 48, clusterMaxZoom: 16 } };
    var layers = [{ id: "ground", type: "background", paint: { "background-color": colour("wash") } }];
    [["nation", 0, data.state ? 6 : 24], ["state", 6, 24]].forEach(function (one) {
      if (!data[one[0]]) return;
      sources[one[0]] = { type: "geojson", data: data[one[0]], attribution: words.sources };
      layers = layers.concat(base.apply(null, one));
    });
    return {
      version: 8,
      sources: sources,
      layers: layers.concat([
        { id: "clusters", type: "circle", source: "places", filter: ["has", "point_count"], paint: { "circle-color": colour("paper"), "circle-stroke-color": colour("accent"), "circle-stroke-width": 2, "circle-radius": ["interpolate", ["linear"], ["get", "point_count"], 2, 15, 100, 20, 2000, 28] } },
        { id: "counts", type: "symbol", source: "places", filter: ["has", "point_count"], layout: { "icon-image": ["concat", "count|", ["to-string", ["get", "point_count"]]], "icon-allow-overlap": true } },
        { id: "dots", type: "symbol", source: "places", filter: ["!", ["has", "point_count"]], layout: { "icon-image": ["concat", "sign|", ["get", "status"]], "icon-allow-overlap": true } }
      ])
    };
  }

  function pin(place) {
    var link = document.createElement("a");
    link.className = "live-pin";
    link.href = "#result-" + place.n;
    link.textContent = place.n;
    link.title = place.name;
    new maplibregl.Marker({ element: link }).setLngLat([place.lng, place.lat]).addTo(map);
    // The library has just called it a marker.
    link.setAttribute("aria-label", place.n + ": " + place.name);
    var card = document.getElementById("result-" + place.n);
    if (!card) return;
    // List and map point at each other.
    ["mouseenter", "focusin"].forEach(function (name) {
      card.addEventListener(name, function () {
        link.classList.add("chosen-pin");
      });
    });
    ["mouseleave", "focusout"].forEach(function (name) {
      card.addEventListener(name, function () {
        link.classList.remove("chosen-pin");
      });
    });
  }

  function popup(event) {
    var feature = event.features[0];
    var link = document.createElement("a");
    link.href = data.place + feature.properties.id;
    var name = document.createElement("span");
    // Names are as their publishers write them.
    name.lang = "en";
    name.textContent = feature.properties.name;
    link.append(name, ": " + words.statuses[feature.properties.status]);
    new maplibregl.Popup({ offset: 10 }).setLngLat(feature.geometry.coordinates).setDOMContent(link).addTo(map);
  }

  function draw(found) {
    // The numbers of the list stand for their own places.
    var listed = data.places.map(function (place) { return place.id; });
    var dots = { type: found.type, features: found.features.filter(function (one) { return listed.indexOf(one.properties.id) < 0; }) };
    var bounds = new maplibregl.LngLatBounds([data.lng, data.lat], [data.lng, data.lat]);
    data.places.forEach(function (place) {
      bounds.extend([place.lng, place.lat]);
    });
    map = new maplibregl.Map({
      container: box,
      style: style(dots),
      bounds: bounds,
      fitBoundsOptions: { padding: 50, maxZoom: 14 },
      cooperativeGestures: false,
      dragRotate: false,
      attributionControl: { compact: true },
      locale: {
        "NavigationControl.ZoomIn": words.zoom_in,
        "NavigationControl.ZoomOut": words.zoom_out,
        "NavigationControl.ResetBearing": words.reset,
        "Map.Title": words.map,
        "AttributionControl.ToggleAttribution": words.attribution
      }
    });
    map.touchZoomRotate.disableRotation();
    map.addControl(new maplibregl.NavigationControl({ showCompass: false }), "top-right");
    map.on("styleimagemissing", function (event) {
      label(event.id);
    });
    map.on("click", "dots", popup);
    map.on("click", "clusters", function (event) {
      var cluster = event.features[0];
      map.getSource("places").getClusterExpansionZoom(cluster.properties.cluster_id).then(function (zoom) {
        map.easeTo({ center: cluster.geometry.coordinates, zoom: zoom });
      });
    });
    ["dots", "clusters"].forEach(function (layer) {
      map.on("mouseenter", layer, function () {
        map.getCanvas().style.cursor = "pointer";
      });
      map.on("mouseleave", layer, function () {
        map.getCanvas().style.cursor = "";
      });
    });
    data.places.forEach(pin);
    map.once("idle", function () {
      box.setAttribute("data-ready", "");
      say((found.total > found.features.length ? words.some_places : words.all_places).replace("{shown}", found.features.length).replace("{total}", found.total));
      map.on("moveend", offer);
    });
  }

  function open() {
    box.hidden = key.hidden = false;
    button.textContent = words.close;
    button.setAttribute("aria-expanded", "true");
    box.parentNode.querySelector(".drawn-map").classList.add("covered");
    if (map) return;
    say(words.loading);
    Promise.all([new Promise(load), fetch("/search/places.geojson?" + data.query).then(function (answer) { return answer.json(); })])
      .then(function (done) { draw(done[1]); })
      .catch(function () {
        close();
        say(words.failed);
      });
  }

  function close() {
    box.hidden = key.hidden = here.hidden = true;
    button.textContent = words.open;
    button.setAttribute("aria-expanded", "false");
    box.parentNode.querySelector(".drawn-map").classList.remove("covered");
    if (details.open) button.focus();
  }

  button.addEventListener("click", function () {
    if (box.hidden) open();
    else close();
  });

  // The address of "search here" asks for the map again.
  if (location.hash === "#map") {
    details.open = true;
    open();
  }
})();
