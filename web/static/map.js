// The interactive map of results, loaded only when somebody opens it. The list and the drawing have
// the same places, so the map itself is left to those who see it.
(function () {
  "use strict";
  var box = document.querySelector(".live-map");
  if (!box || !window.WebGLRenderingContext) return;
  var data = JSON.parse(box.getAttribute("data-map"));
  var words = data.words;
  var colours = getComputedStyle(document.documentElement);
  var map = null;

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
  bar.className = "small";
  box.parentNode.insertBefore(bar, box);
  var button = element("button", words.open, bar);
  var hint = element("span", " " + words.open_hint, bar);
  button.type = "button";
  button.className = "quiet";
  button.setAttribute("aria-expanded", "false");
  hint.className = "soft";
  hint.setAttribute("role", "status");

  function say(text) {
    hint.textContent = " " + text;
  }

  function load(done) {
    var style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = data.style;
    document.head.appendChild(style);
    var script = document.createElement("script");
    script.src = data.script;
    script.onload = done;
    script.onerror = function () {
      say(words.failed);
    };
    document.head.appendChild(script);
  }

  // Text without font files: each label is drawn once, as an image.
  function label(id) {
    var parts = id.split("|");
    var isCount = parts[0] === "count";
    var ratio = window.devicePixelRatio || 1;
    var canvas = document.createElement("canvas");
    var pen = canvas.getContext("2d");
    var font = (isCount ? "700 " : "") + 13 * ratio + "px system-ui, sans-serif";
    pen.font = font;
    canvas.width = Math.ceil(pen.measureText(parts[1]).width) + 8 * ratio;
    canvas.height = 18 * ratio;
    pen.font = font;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    if (!isCount) {
      pen.lineWidth = 3 * ratio;
      pen.strokeStyle = colour("paper");
      pen.strokeText(parts[1], canvas.width / 2, canvas.height / 2);
    }
    pen.fillStyle = colour(isCount ? "accent" : "soft");
    pen.fillText(parts[1], canvas.width / 2, canvas.height / 2);
    map.addImage(id, pen.getImageData(0, 0, canvas.width, canvas.height), { pixelRatio: ratio });
  }

  function base(name, minzoom, maxzoom) {
    return [
      { id: name + "-lines", type: "line", source: name, minzoom: minzoom, maxzoom: maxzoom, filter: ["==", ["geometry-type"], "LineString"], paint: { "line-color": colour("edge"), "line-width": 1 } },
      { id: name + "-towns", type: "symbol", source: name, minzoom: minzoom, maxzoom: maxzoom, filter: ["==", ["geometry-type"], "Point"], layout: { "icon-image": ["concat", "town|", ["get", "name"]], "symbol-sort-key": ["get", "rank"], "icon-padding": 6 } }
    ];
  }

  function style() {
    var sources = { places: { type: "vector", tiles: [location.origin + data.tiles], minzoom: 0, maxzoom: 17 } };
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
        { id: "clusters", type: "circle", source: "places", "source-layer": "clusters", paint: { "circle-color": colour("paper"), "circle-stroke-color": colour("accent"), "circle-stroke-width": 2, "circle-radius": ["interpolate", ["linear"], ["get", "count"], 2, 15, 100, 20, 5000, 28] } },
        { id: "counts", type: "symbol", source: "places", "source-layer": "clusters", layout: { "icon-image": ["concat", "count|", ["to-string", ["get", "count"]]], "icon-allow-overlap": true } },
        { id: "dots", type: "circle", source: "places", "source-layer": "places", paint: { "circle-color": colour("accent"), "circle-radius": 6, "circle-stroke-width": 2, "circle-stroke-color": colour("paper") } }
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
    link.textContent = feature.properties.name;
    new maplibregl.Popup({ offset: 10 }).setLngLat(feature.geometry.coordinates).setDOMContent(link).addTo(map);
  }

  function draw() {
    var bounds = new maplibregl.LngLatBounds([data.lng, data.lat], [data.lng, data.lat]);
    data.places.forEach(function (place) {
      bounds.extend([place.lng, place.lat]);
    });
    map = new maplibregl.Map({
      container: box,
      style: style(),
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
      map.easeTo({ center: cluster.geometry.coordinates, zoom: Math.max(cluster.properties.expansion_zoom, map.getZoom() + 1) });
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
      say(words.all_places);
    });
  }

  function open() {
    box.hidden = false;
    button.textContent = words.close;
    button.setAttribute("aria-expanded", "true");
    box.parentNode.querySelector(".drawn-map").classList.add("covered");
    if (map) return;
    say(words.loading);
    load(function () {
      try {
        draw();
      } catch (problem) {
        close();
        say(words.failed);
      }
    });
  }

  function close() {
    box.hidden = true;
    button.textContent = words.open;
    button.setAttribute("aria-expanded", "false");
    box.parentNode.querySelector(".drawn-map").classList.remove("covered");
    button.focus();
  }

  button.addEventListener("click", function () {
    if (box.hidden) open();
    else close();
  });
})();
