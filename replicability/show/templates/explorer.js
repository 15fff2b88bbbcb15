"use strict";
/* p-values that a reader moves, in `explorer.html.jinja`; numbers as in `replicability.stats`. */
(() => {
const METHODS = ["bonferroni", "simes", "fisher", "fisher_bonferroni"];
const FITTING = { independent: "fisher_bonferroni", positive: "simes", dependent: "bonferroni" };

/* ---- numbers ---- */

const BEFORE_ONE = 1 - 2 ** -53;
const ascending = values => Float64Array.from(values).sort();
const sum = values => values.reduce((total, value) => total + value, 0);

/* The least floating-point number alpha with p <= alpha / factor. */
function leastAlpha(p, factor) {
  let alpha = p * factor * BEFORE_ONE;
  for (let step = 0; step < 2; step++) if (alpha / factor < p) alpha /= BEFORE_ONE;
  return alpha;
}

const logFactorials = [0];
function logFactorial(j) {
  for (let i = logFactorials.length; i <= j; i++) logFactorials[i] = logFactorials[i - 1] + Math.log(i);
  return logFactorials[j];
}

/* ln P(chi-squared with 2m degrees of freedom >= 2x) = ln(e^-x sum over j < m of x^j / j!),
   from the largest term on. */
function logTail(m, x) {
  if (x <= 0 || x === Infinity) return x > 0 ? -Infinity : 0;
  const mode = Math.min(m - 1, Math.floor(x));
  let total = 1;
  for (let j = mode + 1, term = 1; j < m; j++) total += term *= x / j;
  for (let j = mode, term = 1; j > 0; j--) total += term *= j / x;
  return Math.min(0, mode * Math.log(x) - logFactorial(mode) - x + Math.log(total));
}

/* The least sums of -ln p that reject, for 1, ..., n of them: Newton's steps on a concave curve. */
const known = { alpha: NaN, sums: [] };
function critical(n, alpha) {
  if (known.alpha !== alpha) Object.assign(known, { alpha, sums: [-Math.log(alpha)] });
  for (let m = known.sums.length + 1; m <= n; m++) {
    let x = known.sums[m - 2] + 1;
    for (let step = 0, move = x; step < 60 && Math.abs(move) > 1e-14 * x; step++) {
      const tail = logTail(m, x), density = (m - 1) * Math.log(x) - logFactorial(m - 1) - x;
      x += move = (tail - Math.log(alpha)) * Math.exp(tail - density);
    }
    known.sums.push(x);
  }
  return known.sums;
}

/* P(sum of -ln p >= x, no p <= alpha / m) less what Bonferroni's test leaves of alpha, over alpha. */
function excess(m, x, alpha) {
  const step = Math.log(m / alpha), tail = y => Math.exp(logTail(m, y));
  let weight = -alpha, total = tail(x) - alpha * tail(x - step);
  for (let k = 2; k <= m && x > k * step; k++) {
    weight *= -(m - k + 1) / k * alpha / m;
    total -= weight * (1 - tail(x - k * step));
  }
  return total / alpha;
}

/* Where a falling function crosses zero. */
function crossing(falling, low, high) {
  for (let step = 0; step < 100 && high - low > 1e-15 * Math.abs(high); step++) {
    const middle = (low + high) / 2;
    if (falling(middle) > 0) low = middle; else high = middle;
  }
  return high;
}

/* The same beside p <= alpha / m, which spends the level of one dataset. */
const beside = { alpha: NaN, sums: [] };
function criticalBeside(n, alpha) {
  const alone = critical(n, alpha);
  if (beside.alpha !== alpha) Object.assign(beside, { alpha, sums: [Infinity] });
  for (let m = beside.sums.length + 1; m <= n; m++) {
    beside.sums.push(crossing(x => excess(m, x, alpha), alone[m - 1], m * Math.log(m / alpha)) * (1 + 1e-12));
  }
  return beside.sums;
}

/* The level at which the sum rejects, or Bonferroni's test if that is less. */
function levelBeside(m, x, level) {
  const alone = Math.max(Math.exp(logTail(m, x)), 1e-150), most = Math.min(level, 1);
  if (!(m > 1 && alone < most && x < Infinity && excess(m, x, most) < 0)) return most;
  return Math.exp(crossing(y => excess(m, x, Math.exp(y)), Math.log(Math.max(alone / 2, 1e-150)), Math.log(most)));
}

/* p-values of "better on fewer than u of the n datasets", u = 1, ..., n. */
function partialConjunctions(pvalues, method) {
  const p = ascending(pvalues), n = p.length, combined = new Float64Array(n);
  for (let u = n, evidence = 0; u > 0; u--) {
    const size = n - u + 1;
    let value = leastAlpha(p[u - 1], size);
    evidence -= Math.log(p[u - 1]);
    if (method === "fisher") value = size > 1 ? Math.exp(logTail(size, evidence)) : p[n - 1];
    if (method === "fisher_bonferroni") value = levelBeside(size, evidence, value);
    for (let j = u + 1; j <= n && method === "simes"; j++) {
      value = Math.min(value, leastAlpha(p[j - 1], size / (j - u + 1)));
    }
    combined[u - 1] = Math.min(value, 1);
  }
  for (let u = 1; u < n; u++) combined[u] = Math.max(combined[u], combined[u - 1]);
  return combined;
}

const atMost = (values, alpha) => values.filter(value => value <= alpha).length;
const kHat = (pvalues, alpha, method) => atMost(partialConjunctions(pvalues, method), alpha);

function holm(pvalues, alpha) {
  const k = kHat(pvalues, alpha, "bonferroni"), largest = k ? ascending(pvalues)[k - 1] : -1;
  return Array.from(pvalues, p => p <= largest);
}

/* Sums of the 0, 1, ... smallest terms. */
function sums(terms) {
  const found = [0];
  for (const term of ascending(terms)) found.push(found.at(-1) + term);
  return found;
}

/* The least whole u >= 1 with p <= u alpha / most, compared as a count does. */
function simesRank(p, most, alpha) {
  let u = Math.max(Math.ceil(most * p / alpha), 1);
  if (u > 1 && p <= alpha / (most / (u - 1))) u--;
  return p > alpha / (most / u) ? u + 1 : u;
}

/* Closed testing: on how many of a set, at least? `inside` is a mask. */
function bound(pvalues, inside, alpha, method) {
  const all = Array.from(pvalues), n = all.length, chosen = all.filter((_, i) => inside[i]);
  if (method === "bonferroni") return sum(holm(all, alpha).map((found, i) => found && inside[i] ? 1 : 0));
  if (method === "simes") {
    const most = n - kHat(all, alpha, "simes");
    return Math.max(0, ...Array.from(ascending(chosen), (p, i) => i + 2 - simesRank(p, most, alpha)));
  }
  const both = method === "fisher_bonferroni", least = both ? criticalBeside(n, alpha) : critical(n, alpha);
  const terms = all.map(p => /* alone, to the last bit */
    both ? -Math.log(p) : p <= alpha ? Math.max(-Math.log(p), least[0]) : Math.min(-Math.log(p), least[0] * BEFORE_ONE));
  const a = sums(terms.filter((_, i) => inside[i])), b = sums(terms.filter((_, i) => !inside[i]));
  const c = ascending(chosen).reverse(), d = ascending(all.filter((_, i) => !inside[i])).reverse();
  const single = (k, m) => both && Math.min(c[k - 1], d[m - 1] ?? 1) <= alpha / (k + m);
  const stands = k => b.some((rest, m) => !(a[k] + rest >= least[k + m - 1]) && !single(k, m));
  let k = chosen.length; /* most of the set in a J that stands */
  while (k && !stands(k)) k--;
  return chosen.length - k;
}

/* The datasets that closed testing names: their own bound is 1. */
function names(pvalues, alpha, method) {
  const all = Array.from(pvalues);
  if (method === "bonferroni") return holm(all, alpha);
  return all.map((p, i) => p <= alpha && bound(all, all.map((_, j) => i === j), alpha, method) === 1);
}

/* Whether B is ahead by the scores as read. */
const doubted = (one, rows, alpha) => !one.sided && rows.some(row => behind(row) && row.p <= alpha);
const behind = row => (row.lower ? row.b < row.a : row.b > row.a);

/* What is drawn of a state; p-values may be reversed where B is ahead. */
function derived({ rows, alpha, dependence, method: asked, turn, group }) {
  const p = rows.map(row => (turn && behind(row) ? Math.max(row.p, 1 - row.p) : row.p));
  const method = dependence === "independent" && METHODS.includes(asked) ? asked : FITTING[dependence];
  const chosen = rows.map((_, i) => group.has(i));
  const curves = Object.fromEntries(METHODS.map(name => [name, partialConjunctions(p, name)]));
  return {
    p, method, curves, chosen, n: rows.length, k: atMost(curves[method], alpha), small: atMost(p, alpha),
    order: p.map((_, i) => i).sort((i, j) => p[i] - p[j] || i - j),
    holm: holm(p, alpha), named: names(p, alpha, method),
    bound: group.size ? bound(p, chosen, alpha, method) : 0,
  };
}

/* ---- input ---- */

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i, MOST = 200;
const number = text => (NUMBER.test(text = text.trim().replace("−", "-")) ? Number(text) : NaN);
class Refused extends Error {}

function typedNumber(text, place, isScore) {
  const value = number(text), what = `${place}, “${text.slice(0, 30)}”`;
  if (isNaN(value)) throw new Refused(`${what}: this is not a ${isScore ? "score" : "p-value"}; enter a number such as 0.03.`);
  if (!isScore && !(value >= 0 && value <= 1)) throw new Refused(`${what}: a p-value must be between 0 and 1; put a name that is a number in quotes.`);
  return value;
}

/* Parse the rows of a text. */
function parsed(text) {
  const rows = [];
  text.split(/\r?\n/).forEach((line, i) => {
    const place = `Line ${i + 1}`, mark = ["\t", ";", ","].find(sign => line.includes(sign));
    if (!line.trim()) return;
    let fields = mark ? line.split(mark).map(field => field.trim()) : line.trim().split(/\s+/);
    if (mark && !fields.at(-1)) fields.pop();
    if (NUMBER.test(fields[0]) || fields.length < 2) {
      for (const field of fields) rows.push({ name: `dataset ${rows.length + 1}`, p: typedNumber(field, place), a: NaN, b: NaN });
      return;
    }
    if (!mark) fields = [fields.slice(0, -1).join(" "), fields.at(-1)];
    const [name, p, ...scores] = fields;
    if (scores.length % 2 || scores.length > 2) throw new Refused(`${place} has the name “${name.slice(0, 30)}” and ${fields.length - 1} entries after it; enter its p-value, or its p-value and two scores.`);
    const [a, b] = scores.length ? scores.map(score => typedNumber(score, place, true)) : [NaN, NaN];
    rows.push({ name: name.replace(/^"(.*)"$/, "$1"), p: typedNumber(p, place), a, b });
  });
  if (!rows.length) throw new Refused(`The text has no p-values; enter one per line.`);
  if (rows.length > MOST) throw new Refused(`There are ${rows.length} p-values, but at most ${MOST} can be drawn.`);
  return rows;
}

/* The inverse of `parsed`. */
const written = rows => rows.map(({ name, p, a, b }) => {
  const safe = name.replace(/\s+/g, " ").trim();
  return [NUMBER.test(safe) ? `"${safe}"` : safe, p, ...(isNaN(a - b) ? [] : [a, b])].join("\t");
}).join("\n");

/* p-values of n equal datasets; with copies, about half repeat one draw. */
function nullStudy(n, copies, random = Math.random) {
  const one = random();
  return Float64Array.from({ length: n }, () => (copies && random() < 0.5 ? one : random()));
}

if (typeof module === "object") {
  module.exports = { METHODS, FITTING, bound, critical, criticalBeside, derived, holm, kHat, logTail, names, nullStudy,
    parsed, partialConjunctions, written };
}
const root = typeof document === "object" && document.querySelector(".explorer");
if (!root) return;

/* ---- the page ---- */

const LEAST = 1e-6, MARK = "#explorer:", TOP = 18, BOTTOM = 24;
const DRAWN = ["svg", "g", "line", "rect", "circle", "text", "title", "polyline"];

function set(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (element.getAttribute(key) !== String(value)) element.setAttribute(key, value);
  }
  return element;
}
function make(kind, attributes = {}, ...children) {
  const [tag, name] = kind.split("."), element = DRAWN.includes(tag) ? document.createElementNS(bars.namespaceURI, tag) : document.createElement(tag);
  element.append(...children);
  return set(element, name ? { class: name, ...attributes } : attributes);
}
const say = (element, text) => { if (element.textContent !== text) element.textContent = text; };
const shown = p => (p > 0 && p < 5e-4 ? p.toExponential(1) : String(Number(p.toPrecision(3))));
const percent = share => `${Number((100 * share).toPrecision(4))}%`;
const cut = (text, most) => (text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text);
const listed = (list, how) => (list.length > 10 ? `${list.length} datasets (${how})` : list.join(", ").replace(/, ([^,]*)$/, " and $1"));
const has = row => !isNaN(row.a - row.b);

/* Values to pixels and back, with ticks. */
function scaleOf(left, right, low, high, into = value => value, out = into) {
  const from = into(low), span = into(high) - from || 1, unit = 10 ** Math.floor(Math.log10(span)), step = span < 2 * unit ? unit / 2 : 2 * unit;
  const plain = out === into, ticks = plain ? [] : [[1e-6, "≤10⁻⁶"], [1e-4, "10⁻⁴"], [1e-2, ".01"], [1, "1"]];
  for (let i = Math.ceil(low / step); plain && i * step <= high; i++) ticks.push([i * step, Number((i * step).toPrecision(6))]);
  return { ticks, to: value => left + (right - left) * Math.max(0, (into(value) - from) / span),
    back: x => out(from + span * Math.min(1, Math.max(0, (x - left) / (right - left)))) };
}

const own = { id: "own", title: "Your own p-values" };
const examples = JSON.parse(root.dataset.examples), TITLES = JSON.parse(root.dataset.titles);
for (const one of examples) one.rows = one.rows.map(([name, p, a, b]) => ({ name, p, a: a ?? NaN, b: b ?? NaN, lower: one.lower }));
const state = { rows: [], group: new Set(), alpha: 0.05, dependence: "independent", method: "", turn: false };
let example, now, studies = [], focused = 0, full, tallies, timer, rowHeight, last;

const by = Array.from(root.querySelectorAll("[class]"), element => [element.getAttribute("class").replace(/.*x-/, ""), element]);
const { live, without, data, dependence, slide, level, group, turn, turning, wrong, sentence, panels: views, scores, holm: holmed, curve: curved,
  systems, first, second, stops, crosses, readout, note, text, typed, draw, together, bars, tally } = Object.fromEntries(by);
const panels = [scores, holmed, curved].map(figure => {
  const drawing = make("svg", { role: "group" });
  figure.insertBefore(drawing, figure.lastElementChild);
  return { figure, drawing };
});
const [left, line, curve] = panels;
live.hidden = false;
without.remove();
const option = (value, said = value) => make("option", { value }, said);
const scored = () => state.rows.some(has);
const y = place => TOP + (place + 0.5) * rowHeight;

/* Build a panel for rows and widths. */
function layout() {
  full = views.clientWidth || 720;
  const stacked = full < 560, n = state.rows.length;
  rowHeight = Math.max(10, 28 - n / 4);
  const letter = 0.56 * Math.min(13, rowHeight), longest = Math.max(4, ...state.rows.map(row => row.name.length));
  const names = Math.min(longest * letter + 22, (stacked ? full : full / 3) * 0.45);
  root.classList.toggle("x-stacked", stacked);
  for (const panel of panels) {
    const labelled = stacked || panel === left, width = stacked ? full : Math.floor((full - names - 24) / 3 + (labelled ? names : 0));
    build(panel, width, labelled ? names : 6, labelled, letter);
  }
  update();
}

function build(panel, width, edge, labelled, letter) {
  const bottom = TOP + state.rows.length * rowHeight, right = width - 12, inner = edge + 8;
  const values = scored() ? state.rows.filter(has).flatMap(row => [row.a, row.b]) : [0, 1], low = Math.min(...values), high = Math.max(...values);
  panel.edge = edge;
  panel.scale = panel !== left ? scaleOf(inner, right, LEAST, 1, Math.log, Math.exp) : scaleOf(inner, right, low, high);
  panel.band = make("rect.x-none", { width, height: rowHeight });
  panel.alpha = make("line.x-alpha", { y1: TOP, y2: bottom });
  panel.level = make("text", { y: TOP - 4 }, "α");
  panel.lines = METHODS.map(name => make("polyline", { style: `stroke:var(--${name})` }));
  panel.steps = [make("polyline.x-rest"), make("polyline.x-walk")];
  panel.rule = make("line.x-rule", { x1: edge, x2: right });
  panel.mark = make("text.x-mark", { x: edge + 4 });
  const grid = panel.scale.ticks.flatMap(([value, said]) => [
    make("line.x-grid", { x1: panel.scale.to(value), x2: panel.scale.to(value), y1: TOP, y2: bottom }),
    make("text", { x: panel.scale.to(value), y: bottom + 16, "aria-hidden": "true" }, said)]);
  panel.rows = state.rows.map((row, i) => {
    const place = make("g");
    if (panel === left && scored()) {
      const [a, b] = [row.a, row.b].map(panel.scale.to);
      if (has(row)) place.append(make("line.x-between", { x1: a, x2: b }), make("circle.x-a", { cx: a, r: 4.5 }), make("rect.x-b", { x: b - 4, y: -4, width: 8, height: 8 }));
      return { place };
    }
    const dot = make("circle", { r: Math.min(6, rowHeight / 2.4) });
    if (panel === line) reach(set(dot, { role: "slider", "aria-valuemin": 0, "aria-valuemax": 1, "aria-label": `p-value of ${row.name}` }), i, onDot);
    place.append(dot);
    return { place, dot };
  });
  panel.labels = (labelled ? state.rows : []).map((row, i) => {
    const label = make("g", {}, make("rect.x-hit", { x: 1, y: -rowHeight / 2, width: edge - 2, height: rowHeight }),
      make("text", { x: edge - 4, y: 4 }, make("title", {}, row.name), cut(row.name, Math.floor((edge - 18) / letter))));
    return panel === left ? reach(set(label, { role: "checkbox", "aria-label": `${row.name} in the group` }), i, onLabel) : set(label, { "aria-hidden": "true" });
  });
  const across = panel === left ? [] : [panel.alpha, panel.level, ...(panel === line ? panel.steps : [...panel.lines, panel.rule, panel.mark])];
  panel.drawing.replaceChildren(panel.band, ...grid, ...across, ...panel.rows.map(row => row.place), ...panel.labels);
  set(panel.figure, { style: `width:${width}px` });
  set(panel.drawing, { style: `--letter:${Math.min(13, rowHeight)}px`, viewBox: `0 0 ${width} ${bottom + BOTTOM}`, width, height: bottom + BOTTOM });
}

/* Make a row focusable; arrows move. */
function reach(element, i, onKey) {
  element.addEventListener("focus", () => { focused = i; update(); point(now.order.indexOf(i)); });
  element.addEventListener("keydown", event => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key], next = now.order[now.order.indexOf(i) + move];
    if (!onKey(event, i, next) && !move) return;
    event.preventDefault();
    if (next !== undefined) (onKey === onDot ? line.rows[next].dot : left.labels[next]).focus();
  });
  return element;
}

function update() {
  now = derived(state);
  const { n, order, p, method, k } = now, { alpha } = state, rank = [];
  order.forEach((i, place) => { rank[i] = place; });
  const walked = now.holm.includes(false) ? order.findIndex(i => !now.holm[i]) : n;
  for (const panel of panels) {
    const { to } = panel.scale, ofCurve = panel === curve;
    panel.rows.forEach(({ place, dot }, i) => {
      set(place, { transform: `translate(0 ${y(rank[i])})` });
      if (!dot) return;
      const full = ofCurve ? rank[i] < k : now.holm[i];
      set(dot, { cx: to(ofCurve ? now.curves[method][rank[i]] : p[i]), class: full ? "x-dot x-full" : "x-dot", style: ofCurve ? `--dot:var(--${method})` : "" });
      if (panel === line) set(dot, { tabindex: i === focused ? 0 : -1, "aria-valuenow": p[i].toFixed(6), "aria-valuetext": `${shown(p[i])}, rank ${rank[i] + 1} of ${n}` });
    });
    panel.labels.forEach((label, i) => {
      set(label, { transform: `translate(0 ${y(rank[i])})`, class: `x-label${now.named[i] ? " x-named" : ""}${now.chosen[i] ? " x-in" : ""}` });
      if (panel === left) set(label, { "aria-checked": now.chosen[i], tabindex: i === focused ? 0 : -1 });
    });
    set(panel.alpha, { x1: to(alpha), x2: to(alpha) });
    set(panel.level, { x: to(alpha) });
  }
  const corners = order.flatMap((_, u) => [0, 1].map(end => `${line.scale.to(alpha / (n - u))},${TOP + (u + end) * rowHeight}`));
  set(line.steps[0], { points: corners.join(" ") });
  set(line.steps[1], { points: corners.slice(0, 2 * walked + 2).join(" ") });
  METHODS.forEach((name, m) => set(curve.lines[m], {
    points: Array.from(now.curves[name], (value, u) => `${curve.scale.to(value)},${y(u)}`).join(" "), class: name === method ? "x-thin x-chosen" : "x-thin" }));
  set(curve.rule, { y1: TOP + k * rowHeight, y2: TOP + k * rowHeight });
  set(curve.mark, { y: TOP + k * rowHeight + (k < n ? 14 : -5) });
  say(curve.mark, `k̂ = ${k}`);
  tell(walked);
  tallied();
  clearTimeout(timer);
  timer = setTimeout(remember, 250);
}

function tell(walked) {
  const { n, k, p, method, order, bound: least } = now, { alpha, rows, group: { size } } = state, { a, b, claim } = example;
  const [named, members, byHolm] = [now.named, now.chosen, now.holm].map(mask => rows.filter((_, i) => mask[i]).map(row => row.name));
  const small = rows.filter(row => behind(row) && row.p < 0.5).length, next = order[walked];
  let said = k ? `${claim} on ${k < n ? `at least ${k} of ${n} datasets` : n > 1 ? `all ${n} datasets` : "the only dataset"}` : `There is no evidence that ${claim} on any dataset`;
  if (k && n > 1 && named.length < n) said += named.length ? `, ${named.length < k ? "among them" : "namely"} ${listed(named, "bold")}` : ", none of which can be identified";
  if (size) said += `. For the ${size} selected datasets${size < 6 ? ` (${members.join(", ")})` : ""}, ${least ? `the lower bound is ${least}` : "there is no evidence"}`;
  if (!state.turn && doubted(example, rows, alpha)) said = `Only if every p-value is one-sided for ${a}: ${said}`;
  say(sentence, `${said} (${TITLES[method]}, simultaneous ${percent(1 - alpha)} confidence; k̂ = ${k}).`);
  say(scores.firstElementChild, scored() ? "Scores" : "p-values");
  systems.hidden = !scored();
  say(first, a);
  say(second, b);
  say(stops, `Holm’s procedure ${next === undefined ? "reaches the last row" : `stops at ${rows[next].name}, because ${shown(p[next])} is above α/${n - walked} = ${shown(alpha / (n - walked))}`}. It names ${listed(byHolm, "filled") || "no dataset"}.`);
  say(crosses, `The thick curve ${k < n ? `crosses α after row ${k}` : "never crosses α"}: k̂ = ${k}.`);
  for (const { figure, drawing } of panels) set(drawing, { "aria-label": figure.textContent.replace(/\s+/g, " ") });
  say(note, `p ≤ α on ${now.small} of ${n} datasets; this count has no guarantee. ${!small || turn.disabled ? "" : state.turn
    ? `${small} p-value${small === 1 ? " is" : "s are"} reversed, because ${b} has the better score there. This is right if p-values are one-sided for the system ahead. For two-sided ones, use p/2 and 1 − p/2.`
    : `Where ${b} has the better score, ${small} p-value${small === 1 ? " is" : "s are"} below one half. Reverse p-values that do not test whether ${a} is better.`}`);
}

/* Show a row and its numbers. */
function point(place) {
  const i = now.order[place], row = state.rows[i];
  for (const panel of panels) set(panel.band, { y: TOP + place * rowHeight, class: row ? "x-band" : "x-none" });
  if (row) say(readout, `${row.name}${has(row) ? ` (${row.a} and ${row.b})` : ""}: p = ${shown(now.p[i])}; Holm’s line α/${now.n - place} = ${shown(state.alpha / (now.n - place))}; ` +
    `“fewer than ${place + 1}”: p = ${shown(now.curves[now.method][place])}.`);
}

function shift(i, p) {
  const row = state.rows[i], wanted = Math.min(1, Math.max(0, Number(p.toPrecision(2))));
  row.p = state.turn && behind(row) ? Math.max(wanted, 0.5) : wanted;
  update();
  point(now.order.indexOf(i));
}
function edited() {
  if (example !== own) {
    example = Object.assign(own, { ...example, id: "own", title: `${example.title}, edited` });
    offer();
  }
  text.value = written(own.rows = state.rows);
  say(typed, "");
}
function choose(rows, wanted) {
  for (const i of rows) state.group[wanted ? "add" : "delete"](i);
  group.value = Object.keys(example.groups).find(name => String(example.groups[name]) === String([...state.group].sort((i, j) => i - j))) || (state.group.size ? "chosen by hand" : "");
  update();
}
function onDot(event, i) {
  const p = Math.max(now.p[i], LEAST), to = { ArrowRight: p * 1.125, ArrowLeft: p / 1.125, PageUp: p * 10, PageDown: p / 10, Home: LEAST, End: 1 }[event.key];
  if (!to) return false;
  shift(i, to);
  edited();
  return true;
}
function onLabel({ key, shiftKey }, i, next) {
  if (key === " " || key === "Enter") choose([i], !state.group.has(i));
  else if (key === "Escape") choose(state.rows.keys(), false);
  else if (shiftKey && next !== undefined) choose([i, next], true);
  else return false;
  return true;
}

for (const panel of panels) {
  const { drawing } = panel;
  let held, brush;
  const at = event => {
    const box = drawing.getBoundingClientRect(), ratio = drawing.viewBox.baseVal.width / box.width;
    return { place: Math.floor(((event.clientY - box.top) * ratio - TOP) / rowHeight), x: (event.clientX - box.left) * ratio };
  };
  drawing.onpointerdown = event => {
    const { place, x } = at(event), i = now.order[place];
    if (i === undefined || event.button) return;
    const grabbed = panel.rows[i].dot && panel !== curve ? panel.scale.to(now.p[i]) : NaN;
    if (panel === left && x < panel.edge) {
      brush = { place, wanted: !state.group.has(i), before: [...state.group] };
      choose([i], brush.wanted);
    } else if (Math.abs(x - grabbed) < 26) held = { i, x, start: grabbed, p: state.rows[i].p };
    else return;
    focused = i;
    drawing.setPointerCapture(event.pointerId);
    set(sentence, { "aria-busy": "true" });
  };
  drawing.onpointermove = event => {
    const { place, x } = at(event);
    if (held && (held.moved || Math.abs(x - held.x) > 2)) {
      held.moved = true;
      shift(held.i, panel.scale.back(held.start + x - held.x));
    } else if (brush) {
      state.group = new Set(brush.before);
      choose(now.order.filter((_, r) => r >= Math.min(place, brush.place) && r <= Math.max(place, brush.place)), brush.wanted);
    } else if (!held) point(place);
  };
  drawing.addEventListener("touchstart", event => { if (brush || held) event.preventDefault(); });
  drawing.onpointerup = drawing.onpointercancel = event => {
    if (event.type === "pointerup") drawing.onpointermove(event);
    if (held && event.type === "pointercancel") shift(held.i, held.p);
    else if (held && held.moved) edited();
    held = brush = undefined;
    set(sentence, { "aria-busy": "false" });
  };
  drawing.onpointerleave = () => { if (!held && !brush) point(-1); };
}

function offer() {
  data.replaceChildren(...(example === own ? [...examples, own] : examples).map(one => option(one.id, one.title)));
  data.value = example.id;
  group.replaceChildren(option("", "none"), ...Object.keys(example.groups).map(name => option(name)), option("chosen by hand"));
  turn.disabled = example.sided || !scored();
  say(turning, ` Reverse p-values where ${example.b} is ahead (p → 1 − p)${example.sided ? "; these are one-sided" : scored() ? "" : "; this needs scores"}`);
}
function take(chosen) {
  example = chosen;
  Object.assign(state, { rows: chosen.rows.map(row => ({ ...row })), group: new Set(), turn: doubted(chosen, chosen.rows, state.alpha), dependence: chosen.dependence || state.dependence, method: chosen.method });
  focused = 0;
  studies = [];
}
/* Take the p-values in a text, or say what is wrong. */
function takeText(said, place, before = "") {
  try {
    own.rows = parsed(said);
    take(Object.assign(own, { title: "Your own p-values", a: "A", b: "B", claim: "A is better than B", groups: {}, sided: false, dependence: "", method: "" }));
    say(place, "");
    return true;
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    say(place, `${before}${refused.message} The last valid p-values stay.`);
    return false;
  }
}
function refresh() {
  offer();
  turn.checked = state.turn;
  dependence.value = state.dependence;
  slide.value = Math.log10(state.alpha);
  if (document.activeElement !== level) level.value = shown(state.alpha);
  if (document.activeElement !== text) text.value = written(state.rows);
  layout();
  choose([], true);
}
function setLevel(value) {
  const good = value > 0 && value < 1;
  say(wrong, good ? "" : `α cannot be “${level.value.slice(0, 20)}”; enter a number between 0 and 1. It stays at ${shown(state.alpha)}.`);
  if (good) { state.alpha = value; update(); }
  return good;
}
data.onchange = () => { take([...examples, own].find(one => one.id === data.value)); refresh(); };
dependence.onchange = () => { state.dependence = dependence.value; update(); };
slide.oninput = () => { level.value = shown(10 ** slide.value); setLevel(Number(level.value)); };
level.oninput = () => { if (setLevel(number(level.value))) slide.value = Math.log10(state.alpha); };
turn.onchange = () => { state.turn = turn.checked; update(); };
group.onchange = () => { state.group = new Set(example.groups[group.value]); choose([], true); };
text.oninput = () => { if (takeText(text.value, typed)) refresh(); };

function tallied() {
  const { method, n } = now, { alpha } = state, before = tallies;
  if (before === (tallies = [alpha, method, full, studies.length].join())) return;
  const kinds = [["count of p ≤ α", study => atMost(study.p, alpha), "count"],
    [`k̂ (${TITLES[method]})`, study => atMost(study[method] ??= partialConjunctions(study.p, method), alpha), method]];
  const width = Math.min(full, 720), half = width / 2, base = 130, said = [];
  set(bars, { viewBox: `0 0 ${width} 150`, width, height: studies.length ? 150 : 0 });
  bars.replaceChildren(...(studies.length ? kinds : []).flatMap(([title, of, colour], side) => {
    const values = studies.map(of), bins = Math.min(Math.max(4, ...values), 12), slot = (half - 20) / (bins + 1), x = k => side * half + 10 + k * slot;
    const share = counted => values.filter(counted).length / values.length;
    const more = [0, 1].map(k => `above ${k}: ${percent(share(v => v > k))}`);
    said.push(`${title} ${more.join(", ")}`);
    return [make("text.x-title", { x: x(0), y: 11 }, title),
      ...Array.from({ length: bins + 1 }, (_, k) => {
        const height = 82 * share(v => Math.min(v, bins) === k);
        return make("g", {}, make("rect", { x: x(k) + 1, width: slot - 2, y: base - height, height, class: k ? "" : "x-zero", style: `fill:var(--${colour})` }),
          make("text", { x: x(k + 0.5), y: 145 }, k < 12 ? k : "12+"));
      }),
      ...more.flatMap((found, k) => [make("rect", { x: x(k + 1), width: slot * (bins - k), y: 26 + 17 * k, height: 1.5 }), make("text.x-share", { x: x(k + 1), y: 23 + 17 * k }, found)])];
  }));
  say(tally, studies.length ? `In ${studies.length} studies of ${n} datasets without any difference: ${said.join("; ")}. In the long run, at most ${percent(alpha)} may be above 0.` : "");
  set(bars, { "aria-label": tally.textContent });
}
draw.onclick = () => {
  if (studies.length >= 1000) studies = [];
  for (let i = 0; i < 100; i++) studies.push({ p: nullStudy(now.n, together.checked) });
  tallied();
};
together.onchange = () => { studies = []; tallied(); };

function spec() {
  const found = new URLSearchParams({ of: example.id, alpha: state.alpha, dependence: state.dependence });
  if (example === own) for (const name of ["data", "a", "b", "claim"]) found.set(name, own[name] ?? written(state.rows));
  if (example === own && state.rows.some(row => row.lower)) found.set("lower", 1);
  if (state.method) found.set("method", state.method);
  if (state.turn !== doubted(example, example.rows, state.alpha)) found.set("turn", Number(state.turn));
  if (state.group.size) found.set("group", [...state.group].sort((i, j) => i - j).join("."));
  return found.toString();
}
function restore(address) {
  const given = new URLSearchParams(address), get = name => given.get(name) || "", alpha = number(get("alpha"));
  const fallback = examples.find(one => one.id === get("of")) || examples[0];
  say(wrong, "");
  if (!given.has("data") || !takeText(get("data"), wrong, "In the address: ")) take(fallback);
  else {
    for (const name of ["a", "b", "claim"]) own[name] = cut(get(name) || own[name], 200);
    for (const row of [...own.rows, ...state.rows]) row.lower = given.has("lower");
  }
  if (Object.hasOwn(FITTING, get("dependence"))) state.dependence = get("dependence");
  if (METHODS.includes(get("method"))) state.method = get("method");
  state.alpha = alpha > 0 && alpha < 1 ? alpha : 0.05;
  state.turn = given.has("turn") ? get("turn") === "1" && scored() && !example.sided : doubted(example, state.rows, state.alpha);
  state.group = new Set(get("group").split(".").filter(i => /^\d+$/.test(i) && i < state.rows.length).map(Number));
  refresh();
}
function remember() {
  const next = MARK + spec();
  if (last && next !== last) history.replaceState(history.state, "", next);
  last = next;
}
const addressed = () => location.hash.startsWith(MARK) && location.hash !== last;
restore(addressed() ? location.hash.slice(MARK.length) : root.dataset.start);
remember();
addEventListener("hashchange", () => { if (addressed()) restore(location.hash.slice(MARK.length)); });
for (const place of document.querySelectorAll("[data-explore]")) {
  const button = make("button.x-set", { type: "button" }, ...place.childNodes);
  button.onclick = () => {
    history.pushState(null, "", MARK + place.dataset.explore);
    restore(place.dataset.explore);
    remember();
    root.scrollIntoView();
  };
  place.replaceWith(button);
}
new ResizeObserver(() => { if (views.clientWidth !== full) layout(); }).observe(views);
})();
