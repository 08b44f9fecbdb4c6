// Turns containers into the food finder or into the card of one place:
//   <div data-food-finder data-zip="10002"></div>   <div data-food-card="101"></div>
// and sets their height to that of what is inside. Without this script the link in the container stays.
(function () {
  "use strict";
  var script = document.currentScript || document.querySelector('script[src*="/embed/embed.js"]');
  var origin = new URL(script.src).origin;
  var options = ["zip", "mode", "theme", "limit", "ref", "compact", "lang"];
  var frames = [];

  function address(box) {
    var card = box.getAttribute("data-food-card");
    if (card !== null && !/^[0-9]+$/.test(card)) return null;
    var url = new URL(card === null ? "/embed/widget" : "/embed/pantry/" + card, origin);
    options.forEach(function (name) {
      var value = box.getAttribute("data-" + name);
      if (value !== null) url.searchParams.set(name, value);
    });
    return url.href;
  }

  function show(box) {
    var src = address(box);
    if (!src || box.querySelector("iframe[data-food-frame]")) return;
    var isCard = box.hasAttribute("data-food-card");
    var isSpanish = box.getAttribute("data-lang") === "es";
    var frame = document.createElement("iframe");
    frame.setAttribute("data-food-frame", "");
    frame.title = box.getAttribute("data-title") || (isSpanish ? "Ayuda alimentaria" : "Food help");
    frame.loading = "lazy";
    frame.referrerPolicy = "strict-origin-when-cross-origin";
    frame.style.cssText = "width:100%;border:0;display:block;max-width:" + (isCard ? 420 : 520) + "px;height:" + (isCard ? 380 : 500) + "px";
    frame.src = src;
    box.textContent = "";
    box.appendChild(frame);
    frames.push(frame);
  }

  window.addEventListener("message", function (event) {
    var told = event.data;
    if (event.origin !== origin || !told || told.type !== "food-card:resize") return;
    var height = Number(told.height);
    if (!(height > 0 && height < 20000)) return;
    frames.forEach(function (frame) {
      if (frame.contentWindow === event.source) frame.style.height = height + "px";
    });
  });

  function start() {
    document.querySelectorAll("[data-food-finder],[data-food-card]").forEach(show);
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
