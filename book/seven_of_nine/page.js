/* ---- the page ---- */

const get = id => document.getElementById(id);
const make = (tag, attributes = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...children);
  return element;
};
const EXAMPLES = [...document.querySelectorAll("[data-table]")];
const OPTIONS = [...document.querySelectorAll("fieldset [id]")].map(control => control.id);
const ROLE_NAMES = { "": "not used", name: "dataset", a: "A (ours)", b: "B (baseline)", p: "p-value", n: "number of items", stars: "stars" };
const KINDS = { dependent: "dependent or unknown", positive: "positively dependent", independent: "independent" };
const state = { table: null, roles: [], items: null, roled: "", group: new Set() };

function option(id) {
  const control = get(id);
  return control.type === "checkbox" ? control.checked : control.value.trim();
}
const shown = p => (p > 0 && p < 1e-4 ? p.toExponential(1) : String(Number(p.toPrecision(3))));

function settings() {
  const alpha = Number(option("alpha")), claimed = option("claimed");
  if (!(alpha > 0 && alpha < 1)) throw new Refused(`α is “${option("alpha").slice(0, 20)}”; enter a number between 0 and 1, such as 0.05.`);
  if (claimed && !/^\d{1,3}$/.test(claimed)) throw new Refused(`“${claimed.slice(0, 20)}” is not a number of datasets; enter a whole number such as 7.`);
  const levels = option("levels").split(/[,;\s]+/).map(Number);
  if (!levels.every((level, i) => level > 0 && level < (levels[i - 1] ?? 1))) throw new Refused(`The levels of the stars are “${option("levels").slice(0, 20)}”; enter decreasing numbers below 1, such as 0.05, 0.01, 0.001.`);
  return { levels, alpha, claimed: claimed ? Number(claimed) : null, sided: option("sided"), test: option("test"), dependence: option("dependence"), lower: option("lower") };
}

/* A p-value as printed: "n.s." means above alpha; a missing one next to scores is at most 1. */
function pvalueIn(cell, alpha, scored) {
  if (isNumber(cell)) return cell;
  if (/^n\.?\s?s\.?$/i.test(cell)) return `>${alpha}`;
  return scored ? "<1" : cell;
}
/* The columns that the roles name, without the rows that lack a number. */
function columnsOf({ headers, columns, marks }, roles, alpha) {
  const at = role => roles.indexOf(role), column = role => (at(role) < 0 ? null : columns[at(role)]);
  const needed = ["a", "b", "p", "n"].filter(role => at(role) >= 0);
  if (at("p") >= 0) columns = columns.with(at("p"), column("p").map(cell => pvalueIn(cell, alpha, at("a") >= 0)));
  const rows = columns[0].map((_, i) => i).filter(i => needed.every(role => isNumber(column(role)[i])));
  const left = columns[0].length - rows.length, name = column("name");
  if (!needed.length && at("stars") < 0) throw new Refused("No column of numbers is in use; choose below which columns hold scores or p-values.");
  if ((at("a") < 0) !== (at("b") < 0)) throw new Refused("Scores are chosen for only one system; choose a column for A and one for B, or for neither.");
  const odd = at("p") >= 0 && rows.find(i => !(printedInterval(column("p")[i]).value <= 1 && printedInterval(column("p")[i]).value >= 0));
  if (odd !== false && odd !== undefined) throw new Refused(`“${column("p")[odd]}” is not a p-value, because it is not between 0 and 1; choose another column for the p-values.`);
  const n = at("n") < 0 ? null : rows.map(i => Number(column("n")[i].replace(/,/g, "")));
  if (n?.some(items => !(items >= 1 && items % 1 === 0))) throw new Refused(`The column “${headers[at("n")]}” has an entry that is not a whole number of items; choose another column, or none.`);
  const behind = ["stars", "p", "a"].find(role => at(role) >= 0 && (role === "stars" || marks[at(role)].some(Boolean)));
  const starsIn = cell => (NONE.has(cell.toLowerCase()) ? 0 : /^\*+$/.test(cell) ? cell.length : 1);
  const starred = i => (behind === "stars" ? starsIn(column("stars")[i]) : marks[at(behind)][i].length);
  const names = rows.map(i => (name && name[i]) || `dataset ${i + 1}`);
  return {
    names: names.map((one, i) => (names.indexOf(one) < i ? `${one} (${i + 1})` : one)), systems: at("a") < 0 ? ["A", "B"] : [headers[at("a")], headers[at("b")]],
    p: column("p") && rows.map(i => column("p")[i]), a: column("a") && rows.map(i => column("a")[i]), b: column("b") && rows.map(i => column("b")[i]),
    n, marked: behind ? rows.map(starred) : null, left,
  };
}

function byItems({ alpha, dependence, lower }) {
  const tested = testItems(state.items, lower), p = tested.map(one => one.p), n = tested.map(one => one.n);
  return {
    names: tested.map(one => one.name), systems: state.items.systems, alpha, tested,
    found: { verdicts: [], notes: [`Tests: ${[...new Set(tested.map(one => one.test))].join("; ")}. They assume independent items. Sign flips also assume that the differences are symmetric if A is no better. Choose A before you look at the scores.`], supports: supported(p, alpha, dependence), evidence: p, both: null, range: null, small: atMost(p, alpha), leads: tested.map(one => Math.sign(one.wins - one.losses)) },
    p, n,
  };
}
function byTable(asked) {
  const table = columnsOf(state.table, state.roles, asked.alpha), found = audit({ ...table, ...asked });
  for (const name of state.table.summed) found.notes.push(`“${name}” summarises other rows and is left out.`);
  if (table.left) found.notes.unshift(`${table.left} ${table.left === 1 ? "row without a number is" : "rows without a number are"} left out.`);
  return { ...table, alpha: asked.alpha, found, kind: state.table.kind };
}

function listItems(id, rows) {
  get(id).replaceChildren(...rows.map(([first, ...rest]) => make("li", {}, make("strong", {}, first), ...rest)));
}

function headline({ names: datasets, systems: [a], alpha, found, kind, p }) {
  const n = datasets.length, { supports, range } = found;
  if (supports && !range) {
    const sure = datasets.filter((_, i) => supports.named[i]), certain = sure.length > 6 ? `; ${sure.length} of them can be named` : sure.length ? `, ${sure.length < supports.k ? "among them" : "namely"} ${enumerated(sure)}` : "";
    return supports.k ? `According to this table, ${a} is better on ${supports.k === n ? `all ${n}` : `at least ${supports.k} of ${n}`} datasets (${percentOf(1 - alpha)} confidence)${supports.k < n ? certain : ""}.` : `This table supports no bound: there is no evidence that ${a} is better on any of its ${n} datasets.`;
  }
  if (range) return `${range.stars ? (kind === "claim" ? "The number alone supports" : "Stars alone support") : "Accuracies alone support"} ${range.least < range.most ? `a lower bound between ${range.least} and` : "at least"} ${range.most} of ${n} datasets.`;
  return `This table supports no bound, because it has only ${p ? "p-values" : "scores"}.`;
}

/* A button for each dataset: those pressed are a group, which has a bound of its own. */
function squares({ names: datasets, systems: [a], alpha, found }, dependence) {
  const { supports, evidence, leads } = found, inside = datasets.map(name => state.group.has(name)), n = inside.filter(Boolean).length;
  const focused = [...get("squares").children].indexOf(document.activeElement);
  get("squares").replaceChildren(...(supports ? datasets.map((name, i) => make("button", { type: "button", className: supports.named[i] ? "sure" : leads[i] > 0 ? "" : "open", ariaPressed: String(inside[i]), title: `${name}: p ≤ ${shown(evidence[i])}`, onclick: () => { if (!state.group.delete(name)) state.group.add(name); update(); } }, name)) : []));
  get("squares").children[focused]?.focus();
  get("group").textContent = !supports ? "" : n ? `Of the ${n} selected datasets, ${a} is better on at least ${inGroup(evidence, inside, alpha, dependence)} (with the same simultaneous ${percentOf(1 - alpha)} confidence).` : "Filled squares are named datasets. Select some datasets to get a bound for the group, even after you have seen the results.";
}

function card(said, { names: datasets, found, systems }) {
  const lines = [""], escape = text => text.replace(/[&<>"]/g, sign => `&#${sign.codePointAt(0)};`);
  for (const word of said.split(" ")) if (`${lines.at(-1)} ${word}`.length > 44) lines.push(word); else lines[lines.length - 1] = `${lines.at(-1)} ${word}`.trim();
  const text = lines.slice(0, 5).map((line, i) => `<text x="48" y="${190 + 58 * i}" font-size="44">${escape(line)}</text>`).join("");
  const marks = datasets.slice(0, 24).map((_, i) => `<rect x="${48 + 44 * i}" y="510" width="34" height="34" rx="6" fill="${found.supports?.named[i] ? "#0072b2" : "#fff"}" stroke="#0072b2" stroke-width="3"/>`).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" font-family="sans-serif" fill="#1c2127"><rect width="1200" height="630" fill="#fff"/><text x="48" y="110" font-size="64" font-weight="bold">${escape(`${found.small} of ${datasets.length}?`)}</text>${text}${marks}<text x="48" y="600" font-size="26" fill="#555e68">${escape(systems.join(" and "))}; closed testing</text></svg>`;
}

function tell(one, asked) {
  const { names: datasets, systems: [a, b], found, alpha } = one, { supports, both, range } = found, n = datasets.length;
  const said = headline(one);
  get("answer").textContent = said;
  get("because").textContent = supports ? `p ≤ ${alpha} on ${found.small} of ${n} datasets. This count has no guarantee, because some p-values may be small by chance.` : found.notes[0] ?? "";
  squares(one, asked.dependence);
  const wrong = found.verdicts.filter(({ verdict }) => verdict);
  get("cells").hidden = !wrong.length;
  listItems("verdicts", wrong.map(({ cell, printed, verdict, why }) => [`${cell}: printed ${printed}, ${verdict}.`, why]));
  get("range").hidden = !range;
  if (range) get("ranged").textContent = range.stars ? `${a} is better on at least ${range.least} of ${n} datasets if each p-value equals the level of its stars, and on at least ${range.most} if each is as small as its stars allow. Ask the authors for the p-values.` : `${a} is better on at least ${range.least} of ${n} datasets if the systems disagree on as many items as the accuracies allow, and on at least ${range.most} if they disagree on as few as possible. Ask the authors which items each system gets right.`;
  get("write").hidden = !supports && !one.a;
  get("together").hidden = !supports;
  const leads = one.a || one.tested ? found.leads : [];
  if (!supports && one.a) {
    get("sentence").textContent = sentenceOfAccuracies({ ...one, range, leads });
    get("also").textContent = "";
    listItems("misread", misreadings({ ...one, leads, p: null, small: 0, supports: { k: range?.least ?? 0 } }));
  }
  if (supports) {
    get("sentence").textContent = range && !supports.k ? `p ≤ ${alpha} on ${found.small} of ${n} datasets, without a correction for ${n} tests. The stars alone do not show on how many datasets ${a} outperforms ${b}.` : sentence({ ...one, supports });
    const weak = both?.reduce((i, j) => (j.differ < i.differ ? j : i));
    get("also").textContent = weak?.b ? `With both directions tested, ${a} and ${b} differ on at least ${weak.differ} of ${n} datasets; ${a} is better on at least ${weak.a}, and ${b} on at least ${weak.b} (simultaneous ${percentOf(1 - alpha)} confidence).` : "";
    listItems("misread", misreadings({ ...one, leads, p: found.evidence.map(p => Math.min(p, 2 * (1 - p))), small: found.small, supports }));
    get("assumed").replaceChildren(...Object.entries(KINDS).map(([kind, title]) => {
      const { k, named } = supported(found.evidence, alpha, kind), sure = datasets.filter((_, i) => named[i]);
      const row = make("tr", {}, make("th", { scope: "row" }, title), make("td", {}, `${k} of ${n}`), make("td", {}, sure.length > 6 ? `${sure.length} datasets` : enumerated(sure) || "none"));
      if (kind === asked.dependence) row.style.fontWeight = "600";
      return row;
    }));
    const rho = Number(get("rho").value), chance = luck(n, found.small, alpha, rho);
    get("rhoed").textContent = rho.toFixed(2);
    get("lucky").textContent = `If the systems were equal on every dataset and the correlation between datasets were ${rho.toFixed(2)}, ${found.small} or more of ${n} p-values would be at most ${alpha} in ${chance < 0.00005 ? "fewer than 0.01%" : `${Number((100 * chance).toPrecision(2))}%`} of studies.`;
  }
  get("notes").replaceChildren(...found.notes.map(note => make("li", {}, note)));
  const address = new URLSearchParams({ t: get("text").value, roles: state.roles.join(",") });
  for (const id of OPTIONS) if (option(id) && option(id) !== (get(id).options?.[0].value ?? get(id).defaultValue)) address.set(id, option(id));
  const link = `#${address}`;
  get("link").hidden = get("copylink").hidden = Boolean(state.items);
  get("link").href = link;
  if (!state.items) history.replaceState(null, "", link);
  get("card").href = `data:image/svg+xml,${encodeURIComponent(card(said, one))}`;
}

function showTable() {
  const { headers, columns } = state.items ? { headers: [], columns: [] } : state.table;
  if (state.items) {
    const rows = testItems(state.items, option("lower"));
    get("read").replaceChildren(make("thead", {}, make("tr", {}, ...["dataset", "items", ...state.items.systems, "A better", "B better", "p for A"].map(text => make("th", {}, text)))),
      make("tbody", {}, ...rows.map(one => make("tr", {}, ...[one.name, one.n, shown(one.a), shown(one.b), one.wins, one.losses, shown(one.p)].map(text => make("td", {}, String(text)))))));
    return;
  }
  const choose = headers.map((header, j) => {
    const select = make("select", { ariaLabel: `Meaning of the column ${header}`, onchange: () => { state.roles = state.roles.map((role, i) => (i !== j && role === select.value && role ? "" : role)); state.roles[j] = select.value; update(); } }, ...Object.entries(ROLE_NAMES).map(([value, title]) => make("option", { value }, title)));
    select.value = state.roles[j];
    return make("td", {}, select);
  });
  get("read").replaceChildren(make("thead", {}, make("tr", {}, ...headers.map(header => make("th", {}, header))), make("tr", {}, ...choose)),
    make("tbody", {}, ...columns[0].map((_, i) => make("tr", {}, ...columns.map(column => make("td", {}, column[i]))))));
}

/* Read, check and report; if something is wrong, show a message and clear the earlier result. */
function update() {
  get("wrong").textContent = "";
  try {
    if (!state.items) {
      const text = get("text").value, key = `${option("transposed")} ${text}`;
      state.table = null;
      state.table = readTable(text, option("transposed"));
      if (state.roled !== key) Object.assign(state, { roled: key, roles: guessed(state.table) });
    }
    const asked = settings();
    get("found").hidden = false;
    showTable();
    tell(state.items ? byItems(asked) : byTable(asked), asked);
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    get("wrong").textContent = refused.message;
    get("answer").textContent = "";
    get("found").hidden = !state.table;
    get("squares").replaceChildren();
    for (const id of ["group", "because", "sentence", "also", "lucky", "ranged"]) get(id).textContent = "";
    for (const id of ["cells", "range", "write", "together"]) get(id).hidden = true;
  }
}

async function copy(text, button) {
  let done = true;
  try { await navigator.clipboard.writeText(text); } catch { done = false; }
  get("copied").textContent = done ? "Copied." : "Your browser does not allow copying here; select the text instead.";
  if (done) button.textContent = "Copied";
}

for (const button of EXAMPLES) button.onclick = () => { get("text").value = button.dataset.table; pasted(); };
for (const button of document.querySelectorAll("[data-copy]")) button.onclick = () => copy(get(button.dataset.copy).textContent, button);
get("copylink").onclick = event => copy(location.href, event.target);
function pasted() {
  state.items = null;
  get("file").value = "";
  get("transposed").checked = false;
  update();
  if (!state.table || !sideways(state.table)) return;
  get("transposed").checked = true;
  update();
}
get("text").oninput = pasted;
get("text").onpaste = () => { if (EXAMPLES.some(({ dataset }) => dataset.table === get("text").value)) get("text").select(); }; /* what is pasted replaces an example */
get("rho").oninput = update;
for (const id of OPTIONS) get(id).oninput = update;
async function take(file) {
  if (file.size > 5e7) { get("wrong").textContent = `${file.name} is larger than 50 MB; use the library instead.`; return; }
  const text = await file.text();
  try {
    state.items = readItems(text);
    get("text").value = "";
    update();
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    get("wrong").textContent = `${file.name}: ${refused.message}`;
  }
}
get("file").onchange = event => event.target.files[0] && take(event.target.files[0]);
addEventListener("dragover", event => event.preventDefault());
addEventListener("drop", event => { event.preventDefault(); if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]); });

function restore() {
  const given = new URLSearchParams(location.hash.slice(1));
  get("text").value = given.get("t") ?? EXAMPLES[0].dataset.table;
  for (const id of OPTIONS) if (given.has(id)) { if (get(id).type === "checkbox") get(id).checked = given.get(id) === "true"; else get(id).value = given.get(id); }
  for (const id of ["sided", "test", "dependence"]) if (get(id).selectedIndex < 0) get(id).selectedIndex = 0;
  update();
  const roles = (given.get("roles") ?? "").split(",");
  if (state.table && roles.length === state.roles.length && roles.every(role => role in ROLE_NAMES)) { state.roles = roles; update(); }
}
addEventListener("hashchange", () => { if (location.hash !== get("link").getAttribute("href")) restore(); });
restore();
