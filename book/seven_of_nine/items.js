/* ---- files with a score for each item: exact McNemar's tests and exact sign flips ---- */

const MOST_STEPS = 4e7;
const ROLES = {
  dataset: /^(dataset|task|benchmark|corpus|subset|language|domain)$/i,
  item: /^(id|item|instance|item_id|instance_id|question_id|doc_id|example)$/i,
  system: /^(system|model|method)$/i,
  score: /^(score|correct|accuracy|acc|right|value)$/i,
};
const TRUTHS = { true: 1, false: 0 };

/* Rows of a CSV, TSV or JSON Lines file, as dictionaries of text. */
function records(text) {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/).filter(line => line.trim());
  if (!lines.length) throw new Refused("The file is empty; open one with a row for each item.");
  if (lines[0].trim().startsWith("{")) return lines.map((line, i) => {
    try { return Object.fromEntries(Object.entries(JSON.parse(line)).map(([key, value]) => [key, String(value)])); } catch { throw new Refused(`Line ${i + 1} is not a JSON object; write one object on each line.`); }
  });
  const mark = ["\t", ";", ","].find(sign => lines[0].includes(sign));
  if (!mark) throw new Refused("The first line has only one column; open a CSV or JSON Lines file with a row for each item.");
  const headers = fields(lines[0], mark);
  return lines.slice(1).map((line, i) => {
    const row = fields(line, mark);
    if (row.length !== headers.length) throw new Refused(`Line ${i + 2} has ${row.length} entries, but the header has ${headers.length}; give every line the same number of entries.`);
    return Object.fromEntries(headers.map((header, j) => [header, row[j]]));
  });
}

function scoreOf(text, place) {
  const value = text.toLowerCase() in TRUTHS ? TRUTHS[text.toLowerCase()] : text.trim() === "" ? NaN : Number(text);
  if (!Number.isFinite(value)) throw new Refused(`${place}: “${text.slice(0, 30)}” is not a score; enter a number, or remove the item for both systems.`);
  return value;
}

/* Scores of two systems on the items of each dataset: wide rows, or a row for each system and item. */
function readItems(text) {
  const rows = records(text), headers = Object.keys(rows[0] ?? {}), column = role => headers.find(header => ROLES[role].test(header));
  if (!rows.length) throw new Refused("The file has only a header; add a row for each item.");
  const dataset = column("dataset"), item = column("item"), system = column("system"), score = column("score"), found = new Map();
  let systems;
  if (system && score) {
    if (!item) throw new Refused("The rows name systems but not items; add a column “item” whose identifiers both systems share.");
    systems = [...new Set(rows.map(row => row[system]))];
    if (systems.length !== 2) throw new Refused(`The column “${system}” names ${systems.length} systems; keep the rows of two systems.`);
    const at = new Map();
    rows.forEach((row, i) => {
      const key = JSON.stringify([row[dataset] ?? "", row[item]]), pair = at.get(key) ?? { dataset: row[dataset] ?? "all items", scores: {} };
      if (row[system] in pair.scores) throw new Refused(`Row ${i + 1}: ${row[system]} has a second score for item “${row[item]}”; keep one score, or average the runs.`);
      pair.scores[row[system]] = row[score];
      at.set(key, pair);
    });
    for (const [key, pair] of at) {
      const missing = systems.find(name => !(name in pair.scores));
      if (missing !== undefined) throw new Refused(`${missing} has no score for item ${JSON.parse(key)[1]}; score both systems on the same items.`);
      const part = found.get(pair.dataset) ?? [];
      part.push(systems.map(name => pair.scores[name]));
      found.set(pair.dataset, part);
    }
  } else {
    const rest = headers.filter(header => header !== dataset && header !== item && rows.every(row => row[header]?.toLowerCase() in TRUTHS || (row[header]?.trim() && Number.isFinite(Number(row[header])))));
    systems = rest.filter(header => !/^(size|n|length|seed|fold|run|gold|label)$/i.test(header));
    if (systems.length !== 2) throw new Refused(`${systems.length} columns hold scores${systems.length ? ` (${systems.slice(0, 6).join(", ")})` : ""}; keep one column for each of two systems, next to “dataset” and “item”.`);
    const seen = new Set();
    rows.forEach((row, i) => {
      const name = row[dataset] ?? "all items", key = JSON.stringify([name, row[item]]);
      if (item && seen.has(key)) throw new Refused(`Row ${i + 1}: the item “${row[item]}” occurs twice${dataset ? ` in ${name}` : ""}; keep one row for each item.`);
      seen.add(key);
      const part = found.get(name) ?? [];
      part.push(systems.map(header => row[header]));
      found.set(name, part);
    });
  }
  const order = HEADERS.base.test(systems[0]) || HEADERS.ours.test(systems[1]) ? [1, 0] : [0, 1];
  return { systems: order.map(j => systems[j]), datasets: [...found].map(([name, pairs]) => ({ name, texts: order.map(j => pairs.map(pair => pair[j])) })) };
}

/* P(a sum of values with random signs >= the observed sum), exactly; values are whole numbers. */
function signFlips(values) {
  const sizes = values.map(Math.abs).filter(Boolean), total = sum(sizes), observed = sum(values);
  const unit = sizes.reduce((x, y) => { while (y) [x, y] = [y, x % y]; return x; }, 0) || 1, top = total / unit;
  if (top * sizes.length > MOST_STEPS) return null;
  let law = new Float64Array(top + 1), reach = 0;
  law[0] = 1; /* law[s]: of the sum of the values whose sign is plus */
  for (const size of sizes.map(size => size / unit)) {
    reach += size;
    for (let s = reach; s >= 0; s--) law[s] = (law[s] + (s >= size ? law[s - size] : 0)) / 2;
  }
  let p = 0;
  for (let s = top; 2 * s - top >= observed / unit && s >= 0; s--) p += law[s];
  return Math.min(p, 1);
}

/* Test each dataset: McNemar's exact test of right and wrong, exact sign flips of other scores. */
function testItems({ systems, datasets }, lower = false) {
  return datasets.map(({ name, texts }) => {
    const [a, b] = texts.map((column, j) => column.map(text => scoreOf(text, `${name}, ${systems[j]}`)));
    const n = a.length, wins = a.filter((x, i) => (lower ? x < b[i] : x > b[i])).length, losses = a.filter((x, i) => (lower ? x > b[i] : x < b[i])).length;
    const one = { name, n, wins, losses, a: sum(a) / n, b: sum(b) / n };
    if ([...a, ...b].every(x => x === 0 || x === 1)) return { ...one, p: mcnemar("exact", "greater", wins, losses), test: "McNemar, exact" };
    const decimals = Math.max(...texts.flat().map(text => (text.includes("e") ? 99 : (text.split(".")[1] ?? "").length))), scale = 10 ** decimals;
    const values = a.map((x, i) => (Math.round(x * scale) - Math.round(b[i] * scale)) * (lower ? -1 : 1));
    const p = decimals > 9 ? null : signFlips(values);
    if (p === null) throw new Refused(`${name}: the scores have too many digits for exact sign flips on this page. Round them, or run “replicability compare” on the file.`);
    return { ...one, p, test: "sign flips, exact" };
  });
}
