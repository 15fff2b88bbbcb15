"use strict";
// What a page does beside being read: colours, and one control for the code of a chapter.

const root = document.documentElement;
const scheme = document.querySelector(".scheme");
scheme.hidden = false;
scheme.addEventListener("click", () => {
  const now = root.dataset.scheme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  root.dataset.scheme = now === "dark" ? "light" : "dark";
  try { localStorage.setItem("scheme", root.dataset.scheme); } catch { /* a page from disk may keep nothing */ }
});

const codes = [...document.querySelectorAll("details.code")];
if (codes.length) {
  const all = document.createElement("button");
  const name = () => { all.textContent = codes.every((code) => code.open) ? "Hide all code" : "Show all code"; };
  all.type = "button";
  all.className = "all-code";
  all.addEventListener("click", () => {
    const open = !codes.every((code) => code.open);
    codes.forEach((code) => { code.open = open; });
    name();
  });
  codes.forEach((code) => code.addEventListener("toggle", name));
  name();
  document.querySelector("h1").after(all);
}

// Only a box that scrolls is a stop for the keyboard.
const stops = () => {
  for (const box of document.querySelectorAll(".scroll, pre, .math-block, .picture")) {
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0; else box.removeAttribute("tabindex");
  }
};
addEventListener("load", stops);
addEventListener("resize", stops);

// A link to something behind a toggle opens it.
const reveal = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
};
addEventListener("hashchange", reveal);
reveal();
// Scroll the contents by hand: scrollIntoView would start the keyboard order at the entry.
const entry = document.querySelector(".contents [aria-current]");
if (entry) {
  const list = entry.closest(".contents");
  list.scrollTop = entry.offsetTop - list.offsetTop - list.clientHeight / 2;
}

// Figures that wait for a reader to come near are there before a page is printed.
const fetchAll = () => document.querySelectorAll('img[loading="lazy"]').forEach((image) => { image.loading = "eager"; });
addEventListener("beforeprint", fetchAll);
addEventListener("load", () => (window.requestIdleCallback || setTimeout)(fetchAll));
scrollTo(0, location.hash ? scrollY : 0);
