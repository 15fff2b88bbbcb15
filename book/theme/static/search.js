"use strict";
// What a person calls by its name comes before what Sphinx finds in the text.

const spelt = (text) => text.normalize("NFD").toLowerCase()
  .replace(/k(\u0302|[\s-]?hat\b)/g, "khat").replace(/\p{M}/gu, "");
const words = (text) => spelt(text).match(/[\p{L}\p{N}.]+/gu) || [];

// How well a name fits: all words in a row at its start, in a row, or all somewhere; 0 is none.
const fit = (asked, name) => {
  const there = words(name);
  const at = there.findIndex((_, i) => asked.every((word, j) => there[i + j]?.replace(/\.$/, "") === word));
  if (at >= 0) return at === 0 ? 3 : 2;
  return asked.every((word) => there.includes(word)) ? 1 : 0;
};

// A page is also found by the name of its file.
const called = (address) => (address.includes("#") ? "" : address.replace(/^.*\/|\.html$/g, "").replace(/_/g, " "));

const placesFor = (query) => {
  const asked = words(query);
  if (!asked.length) return [];
  return PLACES.map(([name, address, said]) => [Math.max(fit(asked, name), fit(asked, called(address))), name, address, said])
    .filter(([score]) => score)
    .sort((a, b) => b[0] - a[0] || later(a[2]) - later(b[2]));
};

// Chapters and guides come before the pages of single functions, lists and references.
const LATER = { api: 40, lists: 12, references: 12 };
const later = (address) => LATER[address.split(/[/.]/)[0]] || 0;
if (typeof Scorer !== "undefined") Scorer.score = ([page, , , , score]) => score - later(page);

if (typeof document !== "undefined") {
  const address = new URL(location.href);
  const query = address.searchParams.get("q") || "";
  const plain = query.normalize("NFD").replace(/k\u0302/g, "k-hat").normalize("NFC");
  if (plain !== query.normalize("NFC")) {
    address.searchParams.set("q", plain);
    history.replaceState(null, "", address);
  }
  addEventListener("DOMContentLoaded", () => {
    const list = document.getElementById("places");
    for (const [, name, target, said] of placesFor(query)) {
      const entry = document.createElement("li");
      const link = document.createElement("a");
      link.href = target;
      link.textContent = name;
      entry.append(link, said ? ` ${said}` : "");
      list.append(entry);
    }
  });
}
