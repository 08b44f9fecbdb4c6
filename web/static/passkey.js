// Asks the browser for a passkey and sends its answer with the form (WebAuthn Level 3).
(function () {
  "use strict";
  function bytes(text) {
    return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), function (c) { return c.charCodeAt(0); });
  }

  function text(buffer) {
    var plain = String.fromCharCode.apply(null, new Uint8Array(buffer));
    return btoa(plain).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  }

  function optionsOf(form) {
    var options = JSON.parse(form.dataset.options);
    options.challenge = bytes(options.challenge);
    if (options.user) options.user.id = bytes(options.user.id);
    (options.excludeCredentials || []).forEach(function (one) { one.id = bytes(one.id); });
    return { publicKey: options };
  }

  function answerOf(credential) {
    var response = {};
    ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"].forEach(function (name) {
      if (credential.response[name]) response[name] = text(credential.response[name]);
    });
    return JSON.stringify({ id: credential.id, rawId: text(credential.rawId), type: credential.type, response: response });
  }

  document.querySelectorAll("form[data-passkey]").forEach(function (form) {
    var button = form.querySelector("button"), fault = form.querySelector("[role=alert]");
    function say(words) { fault.textContent = words; fault.hidden = !words; }
    if (!window.PublicKeyCredential) return say("This browser has no passkeys, or the page was not opened by https.");
    button.disabled = false;
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      say("");
      button.disabled = true;
      navigator.credentials[form.dataset.passkey](optionsOf(form)).then(function (credential) {
        form.elements.credential.value = answerOf(credential);
        form.submit();
      }).catch(function (error) {
        button.disabled = false;
        say(error.name === "InvalidStateError" ? "This device already has a passkey of yours." : "No passkey was used. Try again.");
      });
    });
  });

  // The code is behind `#`: browsers send that to no server.
  var code = document.querySelector("[data-from-link]");
  if (code && location.hash.length > 1) {
    code.value = decodeURIComponent(location.hash.slice(1));
    history.replaceState(null, "", location.pathname);
  }
})();
