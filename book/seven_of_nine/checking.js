/* ---- numbers as they are printed, as in `replicability.forensics` ---- */

const FORMS = ["exact", "mid-p", "asymptotic", "corrected"], SIDES = ["greater", "less", "two-sided"];
const MEANS = "It may be a mean or median over several runs, or a weighted score.";
const PRINTINGS = { rounded: "rounded", truncated: "cut off" };
const MISPRINT = 0.05, DECIDED = 0.95, SLACK = 1e-12, MOST_ITEMS = 20000, SMALLEST = 2 ** -1022;
const digits15 = value => Number(value.toPrecision(15));
const rint = x => { const r = Math.round(x); return Math.abs(x % 1) === 0.5 && r % 2 ? r - 1 : r; };

function lastDigit(text) {
  const [mantissa, exponent] = text.toLowerCase().replace(/^[<~ ]+/, "").split("e");
  return Number(`1e${Number(exponent || 0) - (mantissa.split(".")[1] || "").length}`);
}
const finestDigit = texts => digits15(Math.min(...texts.map(text => lastDigit(text.replace(/%$/, "")) * (text.endsWith("%") ? 0.01 : 1))));

/* The numbers that a printed number may stand for. */
function printedInterval(text, unit, printing = "rounded") {
  const plain = text.replace(/,/g, "").replace(/^[~ ]+/, "");
  if (/^[<>]/.test(plain)) {
    const { value } = printedInterval(plain.slice(1));
    return plain[0] === "<" ? { low: 0, value, high: value } : { low: value * (1 + 1e-9), value, high: Infinity };
  }
  const scale = plain.endsWith("%") ? 0.01 : 1, number = plain.replace(/%$/, "");
  const digit = unit ?? lastDigit(number) * scale, value = Number(number) * scale;
  const inwards = printing === "truncated" ? 0 : digit / 2, outwards = printing === "rounded" ? digit / 2 : digit * (1 - 1e-9);
  const [below, above] = value >= 0 ? [inwards, outwards] : [outwards, inwards];
  return { low: digits15(value ? value - below : 0), value: digits15(value), high: digits15(value + above) };
}
function printedColumn(texts, printing = "rounded") {
  const finest = Math.min(...texts.map(lastDigit));
  return texts.map(text => {
    const found = printedInterval(text, undefined, printing);
    return found.value || text.startsWith("<") ? found : printedInterval(text, Math.min(finest, lastDigit(text)), printing);
  });
}
const clip = value => Math.min(1, Math.max(0, value));

function rightCounts(text, n, unit, printing) {
  const { low, high } = printedInterval(text, unit, printing);
  const first = Math.max(Math.ceil(low * n * (1 - SLACK)), 0), last = Math.min(Math.floor(Math.min(high, 1) * n * (1 + SLACK)), n);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}

/* ---- McNemar's test ---- */

/* P(X = k) for X binomial with n trials of probability 1/2. */
function halves(n, k) {
  if (k < 0 || k > n) return 0;
  if (n > 1000) return Math.exp(logFactorial(n) - logFactorial(k) - logFactorial(n - k) - n * Math.LN2);
  let value = 1, spent = 0;
  for (let i = 0; i < Math.min(k, n - k); i++) {
    value *= (n - i) / (i + 1);
    while (value > 1 && spent < n) { value /= 2; spent++; }
  }
  return value * 2 ** (spent - n);
}
/* P(X >= wins) of so many wins and losses. */
function tail(wins, losses) {
  const n = wins + losses;
  if (wins <= 0) return 1;
  if (wins < losses) return 1 - tail(losses + 1, wins - 1);
  let term = halves(n, wins), total = term;
  for (let k = wins; k < n && term > total * 1e-17; k++) total += term *= (n - k) / (k + 1);
  return Math.min(total, 1);
}
/* P(Z >= z) of the normal law: a continued fraction far out, a series near zero. */
function normalTail(z) {
  if (z < 0) return 1 - normalTail(-z);
  const density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
  if (z > 3) {
    let fraction = 0;
    for (let k = 120; k > 0; k--) fraction = k / (z + fraction);
    return density / (z + fraction);
  }
  let term = z, total = z;
  for (let k = 1; k < 100; k++) total += term *= z * z / (2 * k + 1);
  return 0.5 - density * total;
}
function oneSided(form, wins, losses) {
  if (form === "exact") return tail(wins, losses);
  if (form === "mid-p") return (tail(wins, losses) + (losses ? tail(wins + 1, losses - 1) : 0)) / 2;
  return normalTail((wins - losses - (form === "corrected")) / Math.sqrt(Math.max(wins + losses, 1)));
}
function mcnemar(form, side, wins, losses) {
  if (!(wins + losses)) return 1;
  if (side !== "two-sided") return side === "greater" ? oneSided(form, wins, losses) : oneSided(form, losses, wins);
  if (form === "mid-p" && wins === losses) return 1 - halves(2 * wins, wins) / 2;
  return Math.min(1, 2 * oneSided(form, Math.max(wins, losses), Math.min(wins, losses)));
}

/* All leads of A in items, and the most items that only B has right, that two accuracies allow. */
function leadsOf(a, b, n, unit) {
  const most = new Map();
  for (const x of rightCounts(a, n, unit)) for (const y of rightCounts(b, n, unit)) {
    most.set(x - y, Math.max(most.get(x - y) ?? 0, Math.min(y, n - x)));
  }
  return most;
}
/* The p-values that a form and side can give, with their discordant items. */
function attainable(leads, form, side) {
  const found = [];
  for (const [lead, most] of leads) for (let losses = Math.max(0, -lead); losses <= most; losses++) {
    found.push({ p: mcnemar(form, side, losses + lead, losses), discordant: 2 * losses + lead });
  }
  return found;
}
const within = (p, { low, high }) => p >= low * (1 - SLACK) && p <= high * (1 + SLACK);

/* How likely a form gives a cell, beside the numbers near it that it gives by accident. */
function weighCell(text, interval, values, printing) {
  const right = values.filter(({ p }) => within(p, interval));
  if (interval.value === 0 || /^[<>]/.test(text)) return { fits: right.length > 0, log: right.length ? 0 : Math.log(MISPRINT) };
  const unit = lastDigit(text), centre = rint(printedInterval(text).value / unit), width = Math.max(3, Math.floor(centre / 10));
  const low = Math.max(0, centre - width), high = Math.min(centre + width, rint(1 / unit));
  const at = values.map(({ p }) => (printing === "rounded" ? rint(p / unit) : Math.floor(p / unit + 1e-9)));
  const reached = new Set(at.filter(index => index >= low && index <= high)).size;
  return right.length ? { fits: true, log: Math.log((1 - MISPRINT) / Math.max(reached, 1)) } : { fits: false, log: Math.log(MISPRINT / (high - low + 1)) };
}

/* Infer form, side and printing of McNemar's test from a whole column, the likeliest first. */
function inferMcnemar(rows, sides) {
  const cells = rows.map(({ values, lead }) => ({ ...values, leader: form => values[lead](form) }));
  const found = [];
  for (const form of FORMS) for (const side of sides) for (const printing of Object.keys(PRINTINGS)) {
    const intervals = printedColumn(rows.map(row => row.text), printing);
    const weighed = rows.map((row, i) => weighCell(row.text, intervals[i], cells[i][side](form), printing));
    found.push({ form, side, printing, possible: weighed.filter(({ fits }) => fits).length, log: sum(weighed.map(({ log }) => log)) });
  }
  const best = Math.max(...found.map(({ log }) => log)), total = sum(found.map(({ log }) => Math.exp(log - best)));
  return found.map(one => ({ ...one, weight: Number((Math.exp(one.log - best) / total).toFixed(12)) })).sort((i, j) => j.weight - i.weight);
}

const pText = p => (p < 1e-99 ? "0" : p < 1e-4 ? p.toExponential(1) : p.toFixed(4));
const many = n => n.toLocaleString("en-US");
const signed = n => `${n < 0 ? "−" : "+"}${many(Math.abs(n))}`;

/* Judge the p-values of McNemar's test by the form that gave the whole column, or one by one. */
function judgeMcnemar(rows, declared) {
  const sides = { one: ["greater"], two: ["two-sided"], unknown: ["greater", "less", "leader", "two-sided"] }[declared];
  const alone = sides.filter(side => side !== "leader"), form = inferMcnemar(rows, sides)[0];
  const gives = (row, forms, printing) => forms.some(([name, side]) => row.values[side](name).some(({ p }) => within(p, printedInterval(row.text, undefined, printing))));
  const every = FORMS.flatMap(name => alone.map(side => [name, side])), decided = form.weight >= DECIDED;
  const verdicts = rows.map(row => {
    const possible = ["rounded", "truncated"].filter(printing => gives(row, every, printing));
    const own = [[form.form, form.side === "leader" ? row.lead : form.side]];
    let verdict = possible.includes("rounded") ? "" : possible.length ? "depends on the reading" : "impossible";
    if (decided) verdict = gives(row, own, form.printing) ? "" : possible.length ? "depends on the reading" : "impossible";
    const near = every.flatMap(([name, side]) => row.values[side](name).map(one => ({ ...one, name, side }))).reduce((i, j) => (Math.abs(j.p - Number(row.text.replace(/[<>~]/g, ""))) < Math.abs(i.p - Number(row.text.replace(/[<>~]/g, ""))) ? j : i));
    const leads = [...row.leads.keys()], low = Math.min(...leads), high = Math.max(...leads);
    const ahead = `Scores of ${row.a} and ${row.b} on ${many(row.n)} items differ by ${low === high ? signed(low) : `${signed(low)} to ${signed(high)}`} items`;
    return { cell: `p-value on ${row.name}`, printed: row.text, verdict, why: verdict && `${ahead}. ` + (verdict === "impossible"
      ? `No number of discordant items gives this p-value in any form of McNemar’s test. The nearest possible p-value is ${pText(near.p)} (${near.name}, ${near.side}, ${many(near.discordant)} discordant).`
      : `The p-value fits only ${decided ? `a form of the test that differs from the rest of the column (${form.form}, ${form.side}, digits ${PRINTINGS[form.printing]})` : "if its digits were cut off"}.`) };
  });
  return { verdicts, form: decided ? form : null };
}

/* ---- the audit of a table ---- */

const holmIn = (p, alpha) => holm(p, alpha).map(Boolean);

/* Bounds on where the systems differ, and where each is better, as `replicability.stats.three_way`. */
function threeWay(p, ahead, alpha, sided, dependence) {
  const equal = p.map(value => (sided === "two" ? value : Math.min(1, 2 * (sided === "one" ? Math.min(value, 1 - value) : value))));
  const signs = sided === "one" ? p.map(value => Math.sign(0.5 - value)) : ahead.map(Math.sign);
  const leads = [1, -1].map(sign => signs.map(one => one === sign));
  if (dependence === "independent") {
    const [a, b] = leads.map(lead => (lead.some(Boolean) ? bound(equal, lead, alpha, "fisher") : 0));
    return { differ: Math.max(bound(equal, equal.map(() => true), alpha, "fisher"), a + b), a, b };
  }
  const [a, b] = leads.map(lead => holmIn(equal.map((value, i) => (lead[i] ? value / 2 : 1 - value / 2)), alpha / 2).filter(Boolean).length);
  return { differ: a + b, a, b };
}

/* On how many datasets, and on which, is A better, according to p-values for A? */
function supported(p, alpha, dependence) {
  const method = FITTING[dependence];
  return { method, k: kHat(p, alpha, method), named: names(p, alpha, method) };
}

/* On how many datasets of a group, at least, is A better? It may be chosen after seeing the results. */
const inGroup = (p, inside, alpha, dependence) => bound(p, inside, alpha, FITTING[dependence]);

/* The least and the most that accuracies alone allow, over all numbers of discordant items; an impossible accuracy tells nothing. */
function bounds({ a, b, n, alpha, dependence }) {
  const ends = { least: [], most: [] };
  a.forEach((text, i) => {
    const p = [];
    for (const [lead, most] of leadsOf(text, b[i], n[i])) for (const losses of [Math.max(0, -lead), Math.min(Math.max(0, -lead) + 1, most), most]) p.push(mcnemar("exact", "greater", losses + lead, losses));
    ends.least.push(p.length ? Math.max(...p) : 1);
    ends.most.push(Math.max(p.length ? Math.min(...p) : 0, SMALLEST));
  });
  return { least: supported(ends.least, alpha, dependence).k, most: supported(ends.most, alpha, dependence).k, ends };
}

/* Scores as shares of items: percentages if one is above 1; null if they cannot be shares. */
function asShares(a, b) {
  const values = [...a, ...b].map(text => printedInterval(text).value), highest = Math.max(...values);
  if (Math.min(...values) < 0 || highest > 100) return null;
  return highest > 1 ? [a, b].map(column => column.map(text => `${text.replace(/%$/, "")}%`)) : [a, b];
}

/* The rows whose scores are shares of items, with the p-values that each form of McNemar's test can give. */
function rowsOf(datasets, p, [first, second], n, unit) {
  const fit = datasets.map((name, i) => ({ name, text: p[i], a: first[i], b: second[i], n: n[i] }))
    .filter(row => row.n <= MOST_ITEMS && [row.a, row.b].every(text => rightCounts(text, row.n, unit).length));
  const own = fit.length && finestDigit(fit.flatMap(row => [row.a, row.b]));
  return fit.map(row => {
    const leads = leadsOf(row.a, row.b, row.n, own), kept = {};
    const give = side => form => (kept[form + side] ??= attainable(leads, form, side));
    const lead = printedInterval(row.a).value >= printedInterval(row.b).value ? "greater" : "less";
    return { ...row, leads, lead, values: Object.fromEntries(SIDES.map(side => [side, give(side)])) };
  });
}

/* Check a table: `p`, `a`, `b`, `n` and `marked` are columns of text, or null. */
function audit({ names: datasets, systems, p, a, b, n, marked, claimed = null, alpha = 0.05, levels = [alpha], sided = "unknown", test = "", dependence = "dependent", lower = false }) {
  const verdicts = [], notes = [], judge = (cell, printed, verdict, why) => verdicts.push({ cell, printed, verdict, why });
  const given = p, stars = !p && marked?.some(Boolean), level = mark => levels[Math.min(mark, levels.length) - 1];
  if (stars) p = marked.map(mark => (mark ? `<${level(mark)}` : `>${levels[0]}`));
  let printing = "rounded", side = sided, shares = n && a && asShares(a, b);
  const scored = Boolean(a && b), unit = scored && finestDigit(shares ? shares.flat() : [...a, ...b]);
  const value = text => { const { low, value } = printedInterval(text); return Math.max(low, value); }, sign = lower ? -1 : 1;
  const leads = scored ? a.map((text, i) => sign * Math.sign(value(text) - value(b[i]))) : datasets.map(() => 1);
  if (n && scored && !shares) notes.push("The scores are not proportions of items, so the numbers of items are ignored.");
  if (shares) datasets.forEach((name, i) => systems.forEach((system, j) => {
    const text = shares[j][i];
    if (rightCounts(text, n[i], unit).length) return;
    const exact = value(text) * n[i], nearest = [Math.floor(exact), Math.ceil(exact)].filter(k => k <= n[i]).sort((x, y) => Math.abs(x - exact) - Math.abs(y - exact))[0];
    const none = `No whole number of ${many(n[i])} items gives ${text}`, gives = (...how) => rightCounts(text, n[i], ...how).length;
    if (gives(unit, "truncated")) return judge(`${system} on ${name}`, text, "depends on the reading", `${none} if the score was rounded; one does if its digits were cut off.`);
    if (gives()) return judge(`${system} on ${name}`, text, "depends on the reading", `${none} with as many digits as the other scores; one does with the printed number of digits.`);
    judge(`${system} on ${name}`, text, "impossible", `${none}; the nearest, ${many(nearest)}, gives ${digits15(nearest / n[i]).toPrecision(6)}. ${MEANS}`);
  }));
  if (p && scored && test === "mcnemar" && !lower) {
    const wrong = p.filter((text, i) => printedInterval(text, undefined, "either").low > 0.5 && leads[i]).length;
    if (side === "unknown" && wrong) {
      side = "two";
      notes.push(`We treat the p-values as two-sided, because ${wrong} of them exceed${wrong === 1 ? "s" : ""} 1/2. One-sided p-values above 1/2 would favour the system with the lower score.`);
    }
    const fit = shares ? rowsOf(datasets, p, shares, n, unit) : [];
    if (fit.length) {
      const { verdicts: judged, form } = judgeMcnemar(fit, sided);
      verdicts.push(...judged.filter(({ verdict }) => verdict));
      if (form) {
        printing = form.printing;
        notes.push(`Of all forms of McNemar’s test, ${form.form}, ${form.side}, with digits ${PRINTINGS[printing]}, fits the column best: it gives ${form.possible} of ${fit.length} p-values.`);
      }
    }
  }
  const column = p && printedColumn(p, printing);
  if (p) column.forEach((found, i) => {
    if (found.value === 0) judge(`p-value on ${datasets[i]}`, p[i], "cannot be checked", `A p-value cannot be zero. We use ${found.high}, the largest value that rounds to zero.`);
  });
  if (scored && sided === "one") datasets.forEach((name, i) => {
    if (p && value(p[i]) <= alpha && leads[i] < 0) judge(`${systems[0]} better on ${name}`, given ? p[i] : "marked", "contradicted", `${systems[0]} scores ${a[i]} and ${systems[1]} scores ${b[i]}, so a one-sided p-value for ${systems[0]} would exceed 1/2.`);
  });
  const low = p && column.map(found => clip(found.low)), high = p && column.map(found => clip(found.high));
  const within0 = values => values.map(x => x <= alpha), listed = found => datasets.filter((_, i) => found[i]);
  if (given && marked) {
    const plain = printedColumn(p), ends = [plain.map(one => clip(one.high)), plain.map(one => clip(one.low))];
    const fits = find => { const [least, most] = ends.map(find); return marked.every((mark, i) => (mark ? most[i] : !least[i])); };
    if (!fits(within0) && !fits(values => holmIn(values, alpha))) judge("marked datasets", listed(marked).join(", "), "contradicted", `p ≤ ${alpha} on ${listed(within0(plain.map(one => one.value))).join(", ") || "no dataset"}. Neither the single tests nor Holm’s procedure give these marks.`);
  }
  if (claimed !== null && (p || marked)) {
    const [least, most] = given ? [high, low].map(values => atMost(values, alpha)) : [listed(marked).length, listed(marked).length];
    if (claimed < least || claimed > most) judge("number of significant datasets", String(claimed), "contradicted", given ? `The printed p-values give a count of ${least === most ? least : `${least} to ${most}`} at α = ${alpha}.` : `${least} of ${datasets.length} datasets are marked.`);
  }
  let supports = null, both = null, evidence = null;
  if (p && (scored || stars || sided === "one")) {
    evidence = high.map((most, i) => {
      if (side === "one") return leads[i] < 0 ? Math.max(most, 1 - low[i]) : most;
      return leads[i] > 0 ? most / (side === "two" ? 2 : 1) : Math.max(most, 1 - low[i] / 2);
    });
    supports = supported(evidence, alpha, dependence);
  }
  if (p && scored) both = ({ unknown: ["two", "leader"], two: ["two"], one: ["one"] }[side]).map(reading => threeWay(high, leads, alpha, reading, dependence));
  let range = shares && !p && n.every(items => items <= 1e6) ? bounds({ a: shares[lower ? 1 : 0], b: shares[lower ? 0 : 1], n, alpha, dependence }) : null;
  if (p && scored && side === "unknown") notes.push("The table does not say whether the p-values are one-sided. The bounds hold in either case.");
  if (stars) {
    const ends = marked.map((mark, i) => (leads[i] <= 0 ? 0.5 : (mark ? (mark < Math.max(...marked) && levels[mark]) || SMALLEST : levels[0] * (1 + 1e-9)) / (side === "two" ? 2 : 1)));
    const { k: most } = supported(ends, alpha, dependence);
    if (most > supports.k) range = { least: supports.k, most, stars };
    notes.push(`Stars mean p ≤ ${levels.slice(0, Math.max(...marked)).join(", ")} here; change these levels if the paper uses others.`);
  }
  if (scored && !p && !range) notes.push("Scores alone do not show which differences are noise. Add p-values or, for accuracies, the number of items in each dataset.");
  if (p && !scored && !stars && sided !== "one") notes.push("Without scores we cannot say which system a p-value favours. Add the scores, or declare that the p-values are one-sided for A.");
  return { verdicts, notes, supports, both, evidence, small: p ? atMost(p.map(value), alpha) : 0, range, leads, side };
}

/* P(at least so many of n p-values at or below alpha) if no dataset differs and all correlate by rho. */
function luck(n, count, alpha, rho) {
  const tailOf = q => { let total = 0; for (let k = count; k <= n; k++) total += Math.exp(logFactorial(n) - logFactorial(k) - logFactorial(n - k) + (k ? k * Math.log(q) : 0) + (n - k ? (n - k) * Math.log1p(-q) : 0)); return clip(total); };
  if (rho <= 0) return tailOf(alpha);
  if (rho >= 1) return count ? alpha : 1;
  let low = -40, high = 40;
  for (let i = 0; i < 200; i++) { const middle = (low + high) / 2; if (normalTail(middle) > alpha) low = middle; else high = middle; }
  let total = 0;
  const step = 1 / 64;
  for (let z = -9; z <= 9; z += step) {
    const q = clip(normalTail((high - Math.sqrt(rho) * z) / Math.sqrt(1 - rho)));
    total += step * Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI) * (q <= 0 ? (count ? 0 : 1) : q >= 1 ? 1 : tailOf(q));
  }
  return clip(total);
}

/* ---- sentences ---- */

const TITLES = { bonferroni: "Bonferroni", simes: "Simes", fisher: "Fisher", fisher_bonferroni: "Fisher-Bonferroni" };
const enumerated = list => list.join(", ").replace(/, ([^,]*)$/, " and $1");
const percentOf = share => `${Number((100 * share).toPrecision(6))}%`;

/* The sentence that a table supports, as the library writes it. */
function sentence({ systems: [a, b], names: datasets, supports: { k, named, method }, alpha }) {
  const n = datasets.length, claim = `${a} outperforms ${b}`, sure = datasets.filter((_, i) => named[i]);
  if (n === 1) return `${k ? claim : `There is no evidence that ${claim}`} on the only dataset (${percentOf(1 - alpha)} confidence).`;
  if (!k) return `There is no evidence that ${claim} on ${n === 2 ? "either dataset" : `any of the ${n} datasets`} (closed testing, ${TITLES[method]}, ${percentOf(1 - alpha)} confidence).`;
  const who = sure.length > 10 ? `${sure.length} listed in the table` : enumerated(sure);
  const which = k === n ? `all ${n} datasets` : `at least ${k} of ${n} datasets${sure.length ? `, ${sure.length === k ? "namely" : "among them"} ${who}` : ", none of which can be identified"}`;
  return `${claim} on ${n === 2 && k === n ? "both datasets" : which} (closed testing, ${TITLES[method]}; simultaneous ${percentOf(1 - alpha)} confidence).`;
}

/* The sentence that accuracies and numbers of items support, whichever items each system gets right. */
function sentenceOfAccuracies({ systems: [a, b], names: datasets, range, leads, alpha }) {
  const { least, most } = range ?? { least: 0, most: 1 }, n = datasets.length, ahead = leads.filter(lead => lead > 0).length, confidence = `${percentOf(1 - alpha)} confidence`;
  const of = count => (n === 1 ? "the only dataset" : `${count} of ${n} datasets`);
  if (!most) return `There is no evidence that ${a} is better than ${b} on any dataset, whichever items each system gets right (exact McNemar’s test, closed testing; ${confidence}).`;
  if (least) return `${a} outperforms ${b} on ${n === 1 ? "" : "at least "}${of(least)}, whichever items each system gets right (exact McNemar’s test, closed testing; ${confidence}).`;
  return `${a} scores higher than ${b} on ${of(ahead)}. The table does not show whether any of these differences is significant.`;
}

/* Tempting sentences that the table does not support, each with the reason. */
function misreadings({ systems: [a, b], names: datasets, leads, p, small, supports, alpha }) {
  const n = datasets.length, ahead = leads.filter(lead => lead > 0).length, { k } = supports, said = [];
  const on = count => (n === 1 ? "the only dataset" : count === n ? `all ${n} datasets` : `${count} of ${n} datasets`);
  const shows = k ? `The table supports at least ${k}.` : "The table does not support any number above 0.";
  if (small > k) said.push([`${a} is significantly better than ${b} on ${on(small)}.`, `The number of p-values at or below ${alpha} is ${small}, but some of these results may be due to chance. ${shows}`]);
  if (ahead > k && ahead !== small) said.push([`${a} is better than ${b} on ${on(ahead)}.`, `${a} has the better score on ${on(ahead)}, but some of these results may be due to chance. ${shows}`]);
  const open = p ? datasets.filter((_, i) => p[i] > alpha) : [];
  if (!p && !k) said.push([`The largest difference, on ${datasets[leads.indexOf(Math.max(...leads))]}, is significant.`, "That depends on which items each system gets right. Ask the authors for the paired outputs."]);
  if (open.length) said.push([`${a} and ${b} perform equally well on ${open[0]}.`, "A large p-value is no evidence of equality. Test for equivalence with a margin instead."]);
  said.push([`${a} is better than ${b} in general.`, `The datasets were not drawn at random, so the result covers only ${n === 1 ? "this one" : `these ${n}`}.`]);
  if (k && k < n) said.push([`${b} is as good as ${a} on the other ${n - k === 1 ? "dataset" : `${n - k} datasets`}.`, `${k} is a lower bound. The true number may be higher.`]);
  said.push([`${a} is clearly better than ${b}.`, "Significance says nothing about the size of a difference. Report the differences with intervals."]);
  said.push([`The probability that this is luck is at most ${alpha}.`, "The confidence refers to the procedure, which errs in at most that share of studies."]);
  return said.slice(0, 3);
}
