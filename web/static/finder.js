// Adds to a search that works without it: one tab stop for the row of choices, places that begin like what is
// typed, and "use my location". The words stand in data attributes.
(function () {
  "use strict";

  // ---- the row of choices: a toolbar with one tab stop (WAI-ARIA Authoring Practices)
  var bar = document.querySelector("[data-bar]");
  var items = bar ? Array.from(bar.querySelectorAll(".chips a, .more, summary")) : [];
  if (items.length) {
    bar.setAttribute("role", "toolbar");
    bar.setAttribute("aria-label", bar.dataset.bar);
    items.forEach(function (item, index) { item.tabIndex = index ? -1 : 0; });
    bar.addEventListener("keydown", function (event) {
      var at = items.indexOf(event.target), last = items.length - 1;
      var keys = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last };
      if (at < 0 || !(event.key in keys)) return;
      event.preventDefault();
      items[at].tabIndex = -1;
      var next = items[(keys[event.key] + items.length) % items.length];
      next.tabIndex = 0;
      next.focus();
    });
  }

  var form = document.querySelector("form[data-finder]");
  var input = form && form.querySelector("[name=q]");
  if (!input) return;
  var words = form.dataset;
  var status = document.createElement("p");
  status.className = "small status";
  status.setAttribute("role", "status");
  form.appendChild(status);

  // ---- suggestions: an editable combobox with a listbox (WAI-ARIA Authoring Practices)
  var list = document.createElement("ul");
  list.id = "places";
  list.className = "suggestions";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", words.list);
  input.parentNode.appendChild(list);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("autocomplete", "off");
  var active = -1, timer = 0, asked = "";

  function close() {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function mark(index) {
    var options = list.children;
    if (!options.length) return;
    if (active >= 0) options[active].setAttribute("aria-selected", "false");
    active = (index + options.length) % options.length;
    options[active].setAttribute("aria-selected", "true");
    options[active].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", options[active].id);
  }

  function choose(option) {
    input.value = option.dataset.value;
    close();
    status.textContent = "";
    input.focus();
  }

  function show(found) {
    list.textContent = "";
    found.forEach(function (one, index) {
      var option = document.createElement("li");
      option.id = "place-" + index;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.dataset.value = one.label;
      option.textContent = one.display_name;
      list.appendChild(option);
    });
    close();
    if (!found.length) return;
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    status.textContent = words.count.replace("{count}", found.length);
  }

  function ask() {
    var text = asked = input.value.trim();
    // A whole question is not the name of a place. Nor may the list lie on the button below a whole ZIP code or city.
    if (text.length < 2 || /^\d{5}/.test(text) || text.split(/\s+/).length > 5) return show([]);
    fetch("/api/autocomplete?limit=6&q=" + encodeURIComponent(text))
      .then(function (answer) { return answer.ok ? answer.json() : { suggestions: [] }; })
      .then(function (told) {
        if (asked !== text || document.activeElement !== input) return;
        var isWhole = told.suggestions.some(function (one) { return one.label.toLowerCase() === text.toLowerCase(); });
        show(isWhole ? [] : told.suggestions);
      })
      .catch(close);
  }

  close();
  input.addEventListener("input", function () {
    clearTimeout(timer);
    timer = setTimeout(ask, 200);
  });
  input.addEventListener("keydown", function (event) {
    if (list.hidden) return;
    if (event.key === "ArrowDown") mark(active + 1);
    else if (event.key === "ArrowUp") mark(active < 0 ? -1 : active - 1);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && active >= 0) choose(list.children[active]);
    else return;
    event.preventDefault();
  });
  input.addEventListener("blur", close);
  list.addEventListener("mousedown", function (event) {
    event.preventDefault();
    var option = event.target.closest("[role=option]");
    if (option) choose(option);
  });

  // ---- location: asked for on a tap only, rounded to about 100 m before it is sent
  if (!navigator.geolocation || !window.isSecureContext) return;
  var button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = words.locate;
  form.insertBefore(button, status);
  button.addEventListener("click", function () {
    button.disabled = true;
    status.textContent = words.locating;
    navigator.geolocation.getCurrentPosition(
      function (found) {
        input.value = found.coords.latitude.toFixed(3) + ", " + found.coords.longitude.toFixed(3);
        form.submit();
      },
      function () {
        button.disabled = false;
        status.textContent = words.failed;
      },
      { maximumAge: 300000, timeout: 15000 }
    );
  });
})();
