// Counts anew at each choice of the form of filters, in place; without it, the button sends the form.
(function () {
  "use strict";
  var filter = document.querySelector("form.filter");
  var latest = "";
  if (!filter) return;
  filter.addEventListener("change", function () {
    var values = new URLSearchParams();
    new FormData(filter).forEach(function (value, name) { if (value) values.append(name, value); });
    if (!values.get("q")) return;
    var address = latest = "?" + values;
    fetch(address)
      .then(function (answer) { return answer.ok ? answer.text() : Promise.reject(answer.status); })
      .then(function (text) {
        if (address !== latest) return;
        history.replaceState(null, "", address);
        var fresh = new DOMParser().parseFromString(text, "text/html");
        filter.querySelectorAll("label.choice").forEach(function (label) {
          var box = label.firstElementChild;
          var same = fresh.querySelector("form.filter [name='" + box.name + "'][value='" + CSS.escape(box.value) + "']");
          if (same) label.lastElementChild.replaceWith(same.parentNode.lastElementChild);
        });
        filter.querySelector(".sticky").textContent = "";
        filter.querySelector(".sticky").append(fresh.querySelector(".sticky button"));
      })
      .catch(function () {});
  });
})();
