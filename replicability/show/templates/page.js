"use strict";
addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("details:not([open])")) {
    part.open = true;
    addEventListener("afterprint", () => { part.open = false; }, { once: true });
  }
});
const openTarget = () => {
  const target = document.getElementById(location.hash.slice(1));
  if (target?.tagName === "DETAILS") target.open = true;
};
addEventListener("hashchange", openTarget);
openTarget();

for (const button of document.querySelectorAll(".copy")) {
  const source = document.getElementById(button.dataset.from);
  const said = document.getElementById("said");
  const select = () => {
    const range = document.createRange();
    range.selectNodeContents(source);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    return document.execCommand("copy");
  };
  button.hidden = false;
  button.addEventListener("click", async () => {
    let done = true;
    try { await navigator.clipboard.writeText(source.textContent); } catch { done = select(); }
    button.textContent = done ? "Copied" : "Selected";
    said.textContent = done ? "Copied to the clipboard." : "Selected; copy it with the keyboard.";
    setTimeout(() => { button.textContent = "Copy"; said.textContent = ""; }, 2000);
  });
}

const made = (tag, attributes, ...children) => {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...children);
  return element;
};
const shown = (row, column) => row.cells[column].textContent.trim();
const number = text => Number.parseFloat(text.replace(/[,\s<≤]/g, "").replace(/−/g, "-"));

/* What a cell is sorted by: a number, marks by how many they are, or else its text. */
function keyOf(rows, column) {
  const texts = rows.map(row => shown(row, column)).filter(Boolean);
  if (column && texts.every(text => !/[\p{L}\p{N}]/u.test(text))) return text => -text.length;
  return column && texts.every(text => Number.isFinite(number(text))) ? number : text => text;
}

function compared(a, b) {
  return typeof a === "string" ? a.localeCompare(b, undefined, { numeric: true }) : a - b;
}

/* Sort by a column up, then down, then as it was; what is empty stays last. */
function makeSortable(table) {
  const rows = [...table.tBodies[0].rows], heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const key = keyOf(rows, column);
    const button = made("button", { type: "button" }, ...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      const next = now === "ascending" ? "descending" : now ? "" : "ascending";
      const sign = next === "descending" ? -1 : 1;
      heads.forEach(other => other.removeAttribute("aria-sort"));
      if (next) head.setAttribute("aria-sort", next);
      const keyed = rows.map(row => [shown(row, column), row]);
      if (next) {
        keyed.sort(([a], [b]) => (a && b ? sign * compared(key(a), key(b)) : !a - !b));
      }
      table.tBodies[0].append(...keyed.map(([, row]) => row));
    });
  });
}

/* Show only rows with a text in them, or only those that are named. */
function makeFilter(table) {
  const rows = [...table.tBodies[0].rows], bold = rows.filter(row => row.className === "bold");
  const search = made("input", { type: "search" }), named = made("input", { type: "checkbox" });
  const status = made("span", { role: "status", className: "note" });
  const apply = () => {
    const wanted = search.value.trim().toLowerCase();
    for (const row of rows) {
      const text = row.cells[0].textContent.toLowerCase();
      row.hidden = !text.includes(wanted) || (named.checked && row.className !== "bold");
    }
    const left = rows.filter(row => !row.hidden).length;
    status.textContent = left < rows.length ? `${left} of ${rows.length} rows` : "";
  };
  search.addEventListener("input", apply);
  named.addEventListener("change", apply);
  const some = bold.length && bold.length < rows.length;
  return [
    made("label", {}, "Find ", search),
    ...(some ? [made("label", {}, named, `named only (${bold.length})`)] : []),
    status,
  ];
}

/* A narrow window shows what matters, or every column. */
function makeBrief(table) {
  const button = made("button", { type: "button", className: "copy columns" }, "All columns");
  table.classList.add("brief");
  button.addEventListener("click", () => {
    button.textContent = table.classList.toggle("brief") ? "All columns" : "Fewer columns";
  });
  return button;
}

for (const table of document.querySelectorAll("table.sortable")) {
  makeSortable(table);
  const tools = made("div", { className: "tools" });
  if (table.tBodies[0].rows.length > 8) tools.append(...makeFilter(table));
  if (table.querySelector(".minor")) tools.append(makeBrief(table));
  if (tools.hasChildNodes()) table.before(tools);
}
