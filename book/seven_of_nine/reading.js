/* ---- tables that people paste: CSV, TSV, Markdown, LaTeX, or words and numbers from a PDF ---- */

class Refused extends Error {}
const NUMBER = /^[<>~≤]?[+-]?(\d[\d,]*\.?\d*|\.\d+)(e[+-]?\d+)?%?$/i;
const MARK = /^[*†‡]+$/u, NONE = new Set(["", "-", "–", "—", "n.s.", "ns", "no", "0", "false", "nan", "none", "null"]);
const SUMMARY = /^((macro|micro|weighted|grand|overall)[- ]?)?(avg|average|mean|overall|total|all)\.?( \(.*\))?$/i;
const HEADERS = {
  p: /^p(\s+[([].*)?$|^p[\W_]*(val(ue)?s?(?![a-z0-9])|(one|two|1|2)[\W_]*(sided|tailed))|^sig\.|^significance$/i,
  n: /^(#.*|n|items?|size|test( set| size| items)?|instances?|examples?|sentences?|samples?|questions?|documents?|tokens)$/i,
  stars: /^(stars?|marks?|sig(nificant)?\??)$/i,
  systems: /^(models?|systems?|methods?|approach(es)?|parsers?|taggers?)$/i,
  datasets: /^(data ?sets?|tasks?|corp(us|ora)|domains?|languages?|benchmarks?)$/i,
  none: /^(δ|Δ|delta|diff(erence)?|gain|change|improvement|rank)\b/iu,
  ours: /\bours?\b|proposed|this work|^new$/i,
  base: /base|previous|^old$/i,
};

const ASCII = { "−": "-", "–": "-", "∗": "*", "⋆": "*", "×": "x", "≤": "<", "≈": "~", "∼": "~", "\u00a0": " ", "\u202f": " " };
const isNumber = text => NUMBER.test(text);

/* Take LaTeX and Markdown off a cell. */
function undressed(text) {
  let plain = text.replace(/\\multi(?:column|row)\{[^}]*\}\{[^}]*\}/g, "").replace(/\\(ast|star|textasteriskcentered)(?![a-z])/g, "*")
    .replace(/\\d?dagger(?![a-z])/g, "†").replace(/\\pm(?![a-z])/g, "±").replace(/\\times(?![a-z])/g, "x").replace(/\\l(eq?|t)(?![a-z])/g, "<").replace(/\\([%&_#$])/g, "$1")
    .replace(/\{,\}/g, ",").replace(/\\[a-zA-Z]+\*?/g, " ").replace(/[${}~]/g, sign => (sign === "~" ? " " : ""));
  plain = plain.replace(/^\s*(\*\*|__)([^*]+)\1/, "$2").replace(/^\s*([*_])([^*_]+)\1\s*$/, "$2");
  return plain.trim();
}

/* Return a cell as a number is printed, and the marks of significance behind it. */
function cleaned(cell) {
  const name = undressed(cell);
  let text = name.replace(/[−–∗⋆×≤≈∼\u00a0\u202f]/g, sign => ASCII[sign]).replace(/\^/g, "");
  const found = text.match(/^(.*\d%?)\s*([*†‡]+)$/u), marks = found ? found[2] : MARK.test(text) ? text : "";
  if (found) text = found[1];
  text = text.replace(/^p\s*(?=[<=>])/i, "").replace(/^=\s*/, "").replace(/\s*(±|\+\/-)\s*[\d.]+%?$/, "").replace(/^(\S+)\s*\([\d.,\s±-]+\)$/, "$1");
  text = text.replace(/^([<>~])\s+/, "$1").replace(/\s*x\s*10\s*(-?\d+)$/, "e$1").replace(/\s+%$/, "%");
  if (/^[<>]?-?\d*,\d+$/.test(text) && !/^\D*[1-9]\d{0,2}(,\d{3})+$/.test(text)) text = text.replace(",", ".");
  return isNumber(text) ? { text, marks } : { text: MARK.test(text) ? text : name, marks };
}

function fields(line, mark) {
  const found = [];
  for (let i = 0; i <= line.length; i++) {
    let field = "";
    const quoted = line.slice(i).match(/^\s*"((?:[^"]|"")*)"\s*/);
    if (quoted && [mark, undefined].includes(line[i + quoted[0].length])) {
      field = quoted[1].replace(/""/g, '"');
      i += quoted[0].length;
    } else while (i < line.length && line[i] !== mark) field += line[i++];
    found.push(field.trim());
  }
  return found;
}

/* Words, then numbers, as a viewer of PDF copies them. */
function spaced(line) {
  const words = line.trim().replace(/([<>~=±])\s+/g, "$1").replace(/\s+(±|%)/g, "$1").replace(/\s+([*†‡]+)(?=\s|$)/gu, "$1").split(/\s+/);
  let first = words.length;
  while (first && (isNumber(cleaned(words[first - 1]).text) || /^[-–—]$/.test(words[first - 1]))) first--;
  return first === words.length ? words : [words.slice(0, first).join(" "), ...words.slice(first)];
}

const WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
/* "better on 7 of 9 datasets (p < .05)" as stars on seven of nine rows, or null. */
function told(line) {
  const plain = line.replace(/[a-z]+/gi, word => (WORDS.indexOf(word.toLowerCase()) + 1 || NaN) - 1 || word);
  const [, x, y] = plain.match(/(?:^|\s)(\d+) ?(?:\/|(?:out )?of(?: the| all)?) ?(\d+)(?![\d.])/i) ?? [];
  return x && +x <= +y && +y && +y <= 200 ? [["dataset", "stars"], ...Array.from({ length: y }, (_, i) => [`dataset ${i + 1}`, i < x ? "*" : "-"])] : null;
}

function split(text) {
  let lines = text.replace(/\r\n?/g, "\n").split("\n").filter(line => line.trim());
  const claim = lines.length === 1 && told(lines[0]);
  if (claim) return { kind: "claim", rows: claim };
  if (lines.some(line => /[^\\]&/.test(line) && /\\\\/.test(text))) {
    const body = lines.map(line => line.replace(/(^|[^\\])%.*/, "$1")).join("\n").replace(/^[^]*?(?=\\begin\{(tabular|longtable|array))/, "").replace(/(\\end\{(tabular|longtable|array)[^}]*\})(?![^]*\\end\{(tabular|longtable|array))[^]*/, "$1")
      .replace(/\\(top|mid|bottom|c?mid)rule(\([^)]*\))?(\{[^}]*\})?|\\hline|\\cline\{[^}]*\}/g, "").replace(/\\(begin|end)\{[^}]*\}(\{([^{}]|\{([^{}]|\{[^{}]*\})*\})*\}|\[[^\]]*\])*/g, "");
    const spread = cell => Array(Number(cell.match(/\\multicolumn\{(\d)\}/)?.[1] ?? 1)).fill(cell);
    return { kind: "LaTeX", rows: body.split(/\\\\(?:\[[^\]]*\])?/).filter(row => row.includes("&")).map(row => row.split(/(?<!\\)&/).map(cell => cell.replace(/\s+/g, " ")).flatMap(spread)) };
  }
  if (lines.length > 1 && lines.filter(line => line.includes("|")).length > lines.length / 2) {
    lines = lines.filter(line => line.includes("|") && !/^[\s|:+-]+$/.test(line));
    return { kind: "Markdown", rows: lines.map(line => line.trim().replace(/^\||\|$/g, "").split("|").map(cell => cell.trim())) };
  }
  const mark = ["\t", ";", ","].find(sign => lines.every(line => line.includes(sign)) && (sign !== "," || lines.some(line => !/^\S+(\s+\S+)+$/.test(line) || /,\s/.test(line) || line.split(",").length > 2 || !/\d,\d/.test(line))));
  if (mark) return { kind: { "\t": "TSV", ";": "CSV", ",": "CSV" }[mark], rows: lines.map(line => fields(line, mark)) };
  let rows = lines.map(spaced);
  const wide = rows.map(row => (row.slice(1).every(cell => isNumber(cleaned(cell).text) || /^[-–—]$/.test(cell)) ? row.length : 0)), widths = wide.filter(Boolean);
  const width = widths.sort((i, j) => widths.filter(w => w === j).length - widths.filter(w => w === i).length)[0] || 1;
  if (width > 1) rows = rows.slice(Math.max(wide.findIndex(w => w >= width) - 1, 0), wide.findLastIndex(w => w >= width) + 1); /* no caption */
  const joined = row => (row.length > width ? [row.slice(0, row.length - width + 1).join(" ").trim(), ...row.slice(row.length - width + 1)] : row);
  const bare = rows.every(([name]) => !name); /* p-values without names */
  const list = bare && (rows.length === 1 || width === 2) ? rows.flatMap(row => row.slice(1)) : [];
  return { kind: "text", rows: list.length ? [["dataset", "p"], ...list.map((p, i) => [`dataset ${i + 1}`, p])] : rows.map(joined) };
}

/* Read a table: headers, columns of plain cells, their marks, the rows of averages that are left out,
   and the kind of text. */
function readTable(text, transposed = false) {
  const { kind, rows } = split(text);
  if (!rows.length || text.length > 400000) throw new Refused(rows.length ? "The text is longer than 400,000 characters; paste a single table." : "Paste a table with a row for each dataset, or a list of p-values.");
  let cells = rows.map(row => row.map(cleaned));
  if (cells.length === 1 && cells[0].length > 1 && cells[0].every(({ text: cell }) => isNumber(cell))) {
    cells = [["dataset", "p"], ...cells[0].map(({ text: p }, i) => [`dataset ${i + 1}`, p])].map(row => row.map(cell => ({ text: cell, marks: "" })));
  }
  const wide = Math.max(...cells.map(row => row.length)), odd = cells.findIndex(row => row.length !== wide && row.length > 1);
  cells = cells.filter(row => row.length > 1);
  if (cells.length < 1 || wide < 2) throw new Refused("The text has only one column; paste a name and a number for each dataset, or a list of p-values.");
  if (odd >= 0) throw new Refused(`Line ${odd + 1} has ${rows[odd].length} entries, but other lines have ${wide}; give every line the same number of entries.`);
  if (transposed) cells = cells[0].map((_, j) => cells.map(row => row[j]));
  const bare = row => !row.slice(1).some(({ text: cell }) => isNumber(cell)), wordy = row => row.slice(1).some(({ text: cell }) => !MARK.test(cell) && !NONE.has(cell.toLowerCase())), heads = [];
  while (cells.length > 1 && bare(cells[0]) && (!heads.length || wordy(cells[0]))) heads.push(cells.shift());
  const head = cells[0].map((_, j) => (heads.length ? [...new Set(heads.map(row => row[j].text))].join(" ").trim() : j ? `column ${j + 1}` : "dataset"));
  const summed = cells.length > 2 ? cells.map(([{ text: name }]) => name).filter(name => SUMMARY.test(name)) : [];
  if (summed.length) cells = cells.filter(([{ text: name }]) => !SUMMARY.test(name));
  if (!cells.length) throw new Refused("The table has only averages; paste the rows for the datasets, too.");
  if (cells.length > 200) throw new Refused(`The table has ${cells.length} rows, but this page takes at most 200; use the library instead.`);
  const headers = head.map((name, j) => (head.indexOf(name) < j || !name ? `${name || "column"} ${j + 1}` : name));
  return { kind, summed, headers, columns: headers.map((_, j) => cells.map(row => row[j].text)), marks: headers.map((_, j) => cells.map(row => row[j].marks)) };
}

/* Say whether the rows are systems and the columns datasets. */
function sideways({ headers: [first, ...others], columns }) {
  const few = columns[0].length < 4 && others.length > columns[0].length && ![HEADERS.p, HEADERS.n, HEADERS.stars].some(role => others.some(header => role.test(header)));
  return HEADERS.systems.test(first) || (few && !HEADERS.datasets.test(first));
}

/* Guess what each column holds: "name", "a", "b", "p", "n", "stars" or "". */
function guessed({ headers, columns }) {
  const numeric = columns.map(column => column.some(isNumber) && column.every(cell => isNumber(cell) || NONE.has(cell.toLowerCase())));
  const found = headers.map(() => ""), values = column => column.map(cell => Number(cell.replace(/[<>~,%]/g, "")));
  const put = (role, test) => { const j = headers.findIndex((header, i) => !found[i] && test(header, i)); if (j >= 0) found[j] = role; };
  put("name", (_, j) => !numeric[j] && !columns[j].every(cell => MARK.test(cell) || NONE.has(cell.toLowerCase())));
  put("p", (header, j) => numeric[j] && HEADERS.p.test(header));
  put("n", (header, j) => numeric[j] && HEADERS.n.test(header) && values(columns[j]).every(value => value >= 1 && value % 1 === 0));
  put("stars", (header, j) => (!numeric[j] || HEADERS.stars.test(header)) && columns[j].some(cell => MARK.test(cell)) && columns[j].every(cell => MARK.test(cell) || NONE.has(cell.toLowerCase())));
  let rest = headers.flatMap((header, j) => (numeric[j] && !found[j] && !HEADERS.none.test(header) ? [j] : []));
  if (rest.length === 1 && !found.includes("p") && values(columns[rest[0]]).every(value => value >= 0 && value <= 1)) found[rest.pop()] = "p";
  if (rest.length < 2) return found;
  const total = j => values(columns[j]).reduce((sum, value) => sum + (value || 0), 0);
  const ours = rest.find(j => HEADERS.ours.test(headers[j])), base = rest.find(j => j !== ours && HEADERS.base.test(headers[j]));
  const a = ours ?? rest.filter(j => j !== base).reduce((i, j) => (total(j) > total(i) ? j : i));
  found[a] = "a";
  rest = rest.filter(j => j !== a);
  found[base ?? rest.reduce((i, j) => (total(j) > total(i) ? j : i))] = "b";
  return found;
}
