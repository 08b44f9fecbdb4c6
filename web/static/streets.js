// The street map under an interactive map: a MapLibre style of a service, or a PMTiles archive of the Protomaps or the
// OpenMapTiles schema, drawn in the colours of the page. Labels are images, so that no font files are needed.
(function () {
  "use strict";
  // A service that is silent for longer has not answered.
  var PATIENCE = 3000;
  // Names of layers in the two schemas; `kind` is the member that says what a feature is.
  var SCHEMAS = {
    transportation: { kind: "class", green: ["park", "landcover", "landuse"], water: "water", streams: "waterway", buildings: "building", roads: "transportation", names: "transportation_name", places: "place", borders: ["boundary", ["all", ["<=", ["get", "admin_level"], 4], ["!=", ["get", "maritime"], 1]]] },
    roads: { kind: "kind", green: ["landuse"], water: "water", streams: "water", buildings: "buildings", roads: "roads", names: "roads", places: "places", borders: ["boundaries", ["in", ["get", "kind"], ["literal", ["country", "region"]]]] }
  };
  var GREEN = ["park", "national_park", "nature_reserve", "protected_area", "forest", "wood", "grass", "grassland", "meadow", "garden", "village_green", "golf_course", "recreation_ground", "playground", "dog_park", "cemetery"];
  var STREAMS = ["river", "stream", "canal"];
  // Width in pixels at zooms 8, 13 and 18; the last is drawn on top.
  var ROADS = [
    { kinds: ["path", "pedestrian"], colour: "road", from: 15, widths: [0.5, 0.5, 3] },
    { kinds: ["rail", "transit"], colour: "rail", from: 11, widths: [0.5, 1, 2] },
    { kinds: ["minor", "minor_road", "service", "street"], colour: "road", from: 12, widths: [0.5, 1.5, 14], edge: true },
    { kinds: ["secondary", "tertiary", "medium_road"], colour: "road", from: 9, widths: [0.5, 3, 18], edge: true },
    { kinds: ["motorway", "trunk", "primary", "highway", "major_road"], colour: "main-road", from: 5, widths: [1.5, 4, 22], edge: true }
  ];

  // Fetch what must begin to arrive within PATIENCE; the rest may take longer on a slow connection.
  function ask(url, headers) {
    var control = new AbortController();
    var timer = setTimeout(function () { control.abort(); }, PATIENCE);
    return fetch(url, { signal: control.signal, headers: headers || {}, credentials: "omit" }).then(function (answer) {
      clearTimeout(timer);
      if (!answer.ok) throw new Error(answer.status + " " + url);
      return answer;
    }, function (problem) {
      clearTimeout(timer);
      throw problem;
    });
  }

  // A style of a service as it is, without buildings in relief, which are slow on a phone. What its sources point at is
  // fetched here: whether the service answers must be known before a map is drawn.
  function ofService(url) {
    return ask(url).then(function (answer) { return answer.json(); }).then(function (style) {
      var asked = Object.keys(style.sources).filter(function (name) { return /^https?:/.test(style.sources[name].url); });
      style.layers = style.layers.filter(function (layer) { return layer.type !== "fill-extrusion"; });
      return Promise.all(asked.map(function (name) {
        var source = style.sources[name];
        return ask(source.url).then(function (answer) { return answer.json(); }).then(function (about) {
          delete source.url;
          ["tiles", "minzoom", "maxzoom", "bounds", "scheme", "attribution"].forEach(function (member) {
            if (about[member] !== undefined && source[member] === undefined) source[member] = about[member];
          });
        });
      })).then(function () { return style; });
    });
  }

  function ofArchive(url, colour, at) {
    var archive = new window.PMTilesArchive(function (first, length) {
      return ask(url, { Range: "bytes=" + first + "-" + (first + length - 1) }).then(function (answer) {
        if (answer.status !== 206) throw new Error("no ranges: " + url);
        return answer.arrayBuffer();
      });
    });
    return archive.open().then(function (about) {
      var edges = about.bounds;
      if (at.lng < edges[0] || at.lat < edges[1] || at.lng > edges[2] || at.lat > edges[3]) throw { isOutside: true };
      var schema = Object.keys(SCHEMAS).filter(function (name) { return about.layers.indexOf(name) >= 0; })[0];
      if (!schema) throw new Error("unknown schema: " + url);
      maplibregl.addProtocol("streets", function (request) {
        var tile = request.url.split("/").slice(-3).map(Number);
        return archive.tile(tile[0], tile[1], tile[2]).then(function (bytes) { return { data: bytes }; });
      });
      return {
        sources: { streets: { type: "vector", tiles: ["streets://{z}/{x}/{y}"], minzoom: about.minzoom, maxzoom: about.maxzoom, bounds: edges, attribution: about.attribution } },
        layers: layers(SCHEMAS[schema], colour)
      };
    });
  }

  function layers(schema, colour) {
    var made = [{ id: "ground", type: "background", paint: { "background-color": colour("land") } }];
    function isOf(kinds) {
      return ["in", ["get", schema.kind], ["literal", kinds]];
    }
    function add(id, type, layer, more) {
      made.push(Object.assign({ id: id, type: type, source: "streets", "source-layer": layer }, more));
    }
    schema.green.forEach(function (layer) {
      add("green-" + layer, "fill", layer, { filter: isOf(GREEN), paint: { "fill-color": colour("park") } });
    });
    add("water", "fill", schema.water, { filter: ["==", ["geometry-type"], "Polygon"], paint: { "fill-color": colour("water") } });
    add("streams", "line", schema.streams, { filter: ["all", ["==", ["geometry-type"], "LineString"], isOf(STREAMS)], paint: { "line-color": colour("water"), "line-width": ["interpolate", ["linear"], ["zoom"], 8, 0.5, 16, 4] } });
    add("buildings", "fill", schema.buildings, { minzoom: 15, paint: { "fill-color": colour("building") } });
    [true, false].forEach(function (isEdge) {
      ROADS.forEach(function (road, n) {
        if (isEdge && !road.edge) return;
        var more = isEdge ? 2 : 0, widths = road.widths;
        add("road-" + n + (isEdge ? "-edge" : ""), "line", schema.roads, {
          minzoom: isEdge ? Math.max(road.from, 12) : road.from,
          filter: ["all", ["==", ["geometry-type"], "LineString"], isOf(road.kinds)],
          layout: { "line-cap": "round", "line-join": "round" },
          paint: { "line-color": colour(isEdge ? "line" : road.colour), "line-width": ["interpolate", ["exponential", 1.5], ["zoom"], 8, widths[0] + more, 13, widths[1] + more, 18, widths[2] + more] }
        });
      });
    });
    add("borders", "line", schema.borders[0], { filter: schema.borders[1], paint: { "line-color": colour("edge"), "line-dasharray": [3, 2] } });
    // The last are placed first: towns, then main roads, then streets.
    ROADS.slice(2).forEach(function (road, n) {
      add("names-" + n, "symbol", schema.names, {
        minzoom: [13, 12, 11][n],
        filter: ["all", ["==", ["geometry-type"], "LineString"], ["has", "name"], isOf(road.kinds)],
        layout: { "symbol-placement": "line", "symbol-spacing": 220, "icon-image": ["concat", "street|", ["get", "name"]], "icon-rotation-alignment": "map", "icon-keep-upright": true }
      });
    });
    [["quarters", ["suburb", "quarter", "neighbourhood", "macrohood", "hamlet"], 12], ["towns", ["city", "town", "village", "locality"], 4]].forEach(function (one) {
      add(one[0], "symbol", schema.places, {
        minzoom: one[2],
        filter: ["all", ["has", "name"], isOf(one[1])],
        layout: { "icon-image": ["concat", (one[0] === "towns" ? "city|" : "town|"), ["get", "name"]], "symbol-sort-key": ["coalesce", ["get", "rank"], ["get", "min_zoom"], 20], "icon-padding": 4 }
      });
    });
    return made;
  }

  // Promises a style, or fails: `isOutside` if the archive does not have the place `at`.
  window.streetStyle = function (streets, colour, at) {
    return streets.archive ? ofArchive(streets.url, colour, at) : ofService(streets.url);
  };
})();
