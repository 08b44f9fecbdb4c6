// Reads vector tiles from a PMTiles archive in byte ranges (version 3 of the format,
// https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md). Archives and tiles are gzip or not compressed.
(function () {
  "use strict";
  var FIRST_BYTES = 16384, HEADER_BYTES = 127, GZIP = 2;

  // `read(first, length)` promises the bytes of a range as an ArrayBuffer.
  function Archive(read) {
    this.read = read;
    this.directories = {};
  }

  // Promises {minzoom, maxzoom, bounds, layers, attribution}.
  Archive.prototype.open = function () {
    var archive = this;
    return archive.read(0, FIRST_BYTES).then(function (bytes) {
      var view = new DataView(bytes);
      if (new TextDecoder().decode(bytes.slice(0, 7)) !== "PMTiles" || view.getUint8(7) !== 3) throw new Error("no PMTiles 3");
      function number(at) {
        return view.getUint32(at, true) + view.getUint32(at + 4, true) * 4294967296;
      }
      function degrees(at) {
        return view.getInt32(at, true) / 1e7;
      }
      archive.root = [number(8), number(16)];
      archive.leaves = number(40);
      archive.tiles = number(56);
      archive.packed = view.getUint8(97);
      archive.tilesPacked = view.getUint8(98);
      // Most often the root directory is in the first bytes.
      if (archive.root[0] + archive.root[1] <= bytes.byteLength && archive.root[0] >= HEADER_BYTES) {
        archive.directories[archive.root[0]] = unpack(bytes.slice(archive.root[0], archive.root[0] + archive.root[1]), archive.packed).then(entries);
      }
      return archive.read(number(24), number(32)).then(function (packed) {
        return unpack(packed, archive.packed);
      }).then(function (text) {
        var about = JSON.parse(new TextDecoder().decode(text));
        return {
          minzoom: view.getUint8(100),
          maxzoom: view.getUint8(101),
          bounds: [degrees(102), degrees(106), degrees(110), degrees(114)],
          layers: (about.vector_layers || []).map(function (layer) { return layer.id; }),
          attribution: about.attribution || ""
        };
      });
    });
  };

  // Promises the bytes of a tile; none for a tile that the archive does not have.
  Archive.prototype.tile = function (z, x, y) {
    var archive = this, wanted = numberOf(z, x, y);
    function search(place, length, depth) {
      return archive.directory(place, length).then(function (list) {
        var low = 0, high = list.length - 1;
        while (low <= high) {
          var middle = (low + high) >> 1;
          if (list[middle].tile <= wanted) low = middle + 1;
          else high = middle - 1;
        }
        var found = list[high];
        if (found && !found.run && depth < 4) return search(archive.leaves + found.offset, found.length, depth + 1);
        if (!found || wanted - found.tile >= found.run) return new ArrayBuffer(0);
        return archive.read(archive.tiles + found.offset, found.length).then(function (bytes) {
          return unpack(bytes, archive.tilesPacked);
        });
      });
    }
    return search(archive.root[0], archive.root[1], 0);
  };

  Archive.prototype.directory = function (place, length) {
    var archive = this, known = archive.directories;
    if (!known[place]) {
      known[place] = archive.read(place, length).then(function (bytes) {
        return unpack(bytes, archive.packed);
      }).then(entries);
      known[place].catch(function () { delete known[place]; });
    }
    return known[place];
  };

  function unpack(bytes, how) {
    if (how !== GZIP) return Promise.resolve(bytes);
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  }

  // A directory: numbers of tiles as differences, then run lengths, lengths and offsets; zero follows the one before.
  function entries(buffer) {
    var bytes = new Uint8Array(buffer), at = 0, list = [], tile = 0;
    function next() {
      var value = 0, scale = 1, byte;
      do {
        byte = bytes[at++];
        value += (byte & 127) * scale;
        scale *= 128;
      } while (byte > 127);
      return value;
    }
    for (var count = next(); list.length < count;) list.push({ tile: (tile += next()) });
    list.forEach(function (entry) { entry.run = next(); });
    list.forEach(function (entry) { entry.length = next(); });
    list.forEach(function (entry, n) {
      var offset = next();
      entry.offset = offset ? offset - 1 : list[n - 1].offset + list[n - 1].length;
    });
    return list;
  }

  // The number of a tile: those of lower zooms, then the place along a Hilbert curve.
  function numberOf(z, x, y) {
    var number = (Math.pow(4, z) - 1) / 3;
    for (var side = Math.pow(2, z - 1); side >= 1; side /= 2) {
      var right = x & side ? 1 : 0, low = y & side ? 1 : 0;
      number += side * side * ((3 * right) ^ low);
      if (!low) {
        if (right) {
          x = side - 1 - (x & (side - 1));
          y = side - 1 - (y & (side - 1));
        }
        var kept = x;
        x = y;
        y = kept;
      }
    }
    return number;
  }

  window.PMTilesArchive = Archive;
})();
