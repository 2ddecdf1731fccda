// Without this the page is whole: it opens what a link leads to, and adds buttons that copy.
"use strict";
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
  if (target) target.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();
function copying(button, text) {
  const said = button.textContent;
  button.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(text()); button.textContent = "copied"; } catch { button.textContent = "not allowed"; }
    setTimeout(() => { button.textContent = said; }, 1500);
  });
}
for (const check of document.querySelectorAll(".op span[id]")) {
  const link = document.createElement("a");
  link.href = "#" + check.id;
  check.replaceWith(link);
  link.append(check);
}
for (const again of document.querySelectorAll(".again")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  copying(button, () => again.querySelector("code").textContent);
  again.append(button);
}
for (const here of document.querySelectorAll(".here[href]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy link";
  copying(button, () => here.href);
  here.after(button);
}
