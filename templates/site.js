// Adds a copy button to each block of commands, and opens what a link's place is folded into. Every page is complete
// without this file.
(function () {
  "use strict";
  if (navigator.clipboard) document.querySelectorAll("pre.command").forEach(function (block) {
    var text = block.textContent;
    var button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = block.dataset.copy;
    button.addEventListener("click", function () {
      navigator.clipboard.writeText(text).then(function () {
        button.textContent = block.dataset.copied;
        setTimeout(function () { button.textContent = block.dataset.copy; }, 1500);
      });
    });
    block.parentNode.insertBefore(button, block);
  });
  function reveal() {
    var id;
    try { id = decodeURIComponent(location.hash.slice(1)); } catch (e) { return; }
    var place = id && document.getElementById(id);
    for (var at = place; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
    }
    if (place) place.scrollIntoView();
  }
  window.addEventListener("hashchange", reveal);
  reveal();
})();
