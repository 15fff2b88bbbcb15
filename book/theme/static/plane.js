"use strict";
// Planes of all pairs, drawn from their table and what is behind it: counts one by one or jointly,
// the pair that is pointed at in words, and what is known of a pair below, at an address of its own.

const element = (name, properties = {}, ...inside) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...inside);
  return made;
};
const slug = (name) => name.replace(/[^\p{L}\p{N}._]+/gu, "-");
const raised = (number) => [...String(number)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
const escaped = (text) => text.replace(/[&<]/g, (sign) => ({ "&": "&amp;", "<": "&lt;" })[sign]);

for (const [place, box] of document.querySelectorAll(".plane").entries()) {
  const { family, score, systems, datasets, scores, pages, pairs, counts } = JSON.parse(box.querySelector("script").textContent);
  const { label, letters } = box.dataset;
  const s = systems.length;
  const n = datasets.length;
  const links = new Map(pages.flatMap(([i, j, to]) => [[`${i},${j}`, to], [`${j},${i}`, to]]));
  const known = (i, j) => datasets.map((_, d) => {
    const at = 2 * (j * n + d);
    const number = letters.indexOf(pairs[i][at]) * letters.length + letters.indexOf(pairs[i][at + 1]);
    const packed = (number - number % 3) / 3;
    return { named: number % 3, e: Math.floor(packed / 90), ten: packed % 90 + 10 };
  });
  const least = Math.floor((letters.length ** 2 / 3) / 90) - 1;
  const pvalue = ({ e, ten }) => {
    if (e > least) return `< 10⁻${raised(least)}`;
    return e < 5 ? (ten / 10 ** (e + 1)).toFixed(e ? e + 1 : 0) : `${ten / 10} · 10⁻${raised(e)}`;
  };

  // What is chosen, and how it is said
  let jointly = false;
  let at = null;
  const count = (i, j) => counts[i][j][Number(jointly)];
  const direction = (i, j) => {
    const k = count(i, j);
    const each = known(i, j);
    const names = datasets.filter((_, d) => each[d].named > Number(jointly));
    const said = names.length > 6 ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} more` : names.join(", ");
    const sure = said ? `${names.length < k ? "among them" : "namely"} ${said}` : "none of which can be named";
    const pair = `${systems[i]} is better than ${systems[j]} on`;
    return k ? `${pair} at least ${k} of ${n} datasets, ${sure}.` : `There is no evidence that ${pair} any of the ${n} datasets.`;
  };
  const hash = (i, j) => `pair-${slug(family)}-${slug(systems[i])}-${slug(systems[j])}`;

  // The picture
  const many = s > 40;
  const longest = Math.max(...systems.map((name) => name.length));
  const left = 6.4 * longest + (many ? 34 : 14);
  const top = many ? 22 : 6 * longest + 14;
  const size = many ? 9 : Math.max(15, Math.min(28, (600 - left - 2.2 * longest) / s));
  const [width, height] = [left + s * size + (many ? 8 : 2.2 * longest), top + s * size + 4];
  const middle = (k) => (k + 0.5) * size;
  const rows = systems.map((name, i) => `<text class="row" x="${left - 6}" y="${top + middle(i)}">${escaped(name)}${many ? `  ${i + 1}` : ""}</text>`);
  const columns = systems.map((name, j) => (many
    ? (j % 5 === 4 || !j ? `<text class="number" x="${left + middle(j)}" y="${top - 8}">${j + 1}</text>` : "")
    : `<text class="column" transform="translate(${left + middle(j)} ${top - 6}) rotate(-70)">${escaped(name)}</text>`));
  const map = element("div", { className: "scroll plane-map", tabIndex: 0 });
  map.setAttribute("role", "application");
  map.setAttribute("aria-label", `${label}: a matrix of ${s} by ${s} systems. Choose a pair with the arrow keys and open it with Enter.`);
  map.innerHTML = `<svg aria-hidden="true" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" class="${many ? "many" : ""}">
    ${rows.join("")}${columns.join("")}<rect class="ground" x="${left}" y="${top}" width="${s * size}" height="${s * size}"/>
    <g class="cells"></g><g class="cross"></g></svg>`;
  const svg = map.firstElementChild;
  const draw = () => {
    const cells = [];
    counts.forEach((row, i) => row.forEach((cell, j) => {
      const [x, y, k] = [left + j * size, top + i * size, cell && count(i, j)];
      if (!cell) cells.push(`<circle cx="${x + size / 2}" cy="${y + size / 2}" r="1.5"/>`);
      if (k) cells.push(`<rect x="${x}" y="${y}" width="${size}" height="${size}" style="--k:${(k / n).toFixed(2)}"/>`);
      if (k && !many) cells.push(`<text class="${k / n > 0.6 ? "light" : ""}" x="${x + size / 2}" y="${y + size / 2}">${k}</text>`);
      if (cell && links.has(`${i},${j}`)) cells.push(`<rect class="page" x="${x + 1}" y="${y + 1}" width="${size - 2}" height="${size - 2}"/>`);
    }));
    svg.querySelector(".cells").innerHTML = cells.join("");
  };

  // Controls
  const said = element("p", { className: "plane-said" }, "Point at a cell or choose one with the arrow keys; click it or press Enter to open it.");
  said.setAttribute("role", "status");
  const claims = element("fieldset", {}, element("legend", {}, "The claims hold"));
  ["for each pair alone", "for all pairs jointly"].forEach((text, value) => {
    const radio = element("input", { type: "radio", name: `plane-${place}`, checked: !value });
    radio.addEventListener("change", () => {
      jointly = Boolean(value);
      draw();
      if (at) choose(...at);
    });
    claims.append(element("label", {}, radio, ` ${text}`));
  });
  const chooser = (text) => {
    const select = element("select", {}, ...systems.map((name, i) => element("option", { value: i }, name)));
    select.setAttribute("aria-label", text);
    return select;
  };
  const [first, second] = [chooser("A, the system claimed to be better"), chooser("B, the other system")];
  second.selectedIndex = 1;
  const open = element("button", { type: "button" }, "Show the pair");
  const asked = element("p", {}, first, " against ", second, " ", open);
  const detail = element("section", { className: "plane-pair", hidden: true, tabIndex: -1 });

  const choose = (i, j) => {
    if (!counts[i]?.[j]) return false;
    at = [i, j];
    [first.selectedIndex, second.selectedIndex] = at;
    const band = (x, y, w, h, kind) => `<rect class="${kind}" x="${x}" y="${y}" width="${w}" height="${h}"/>`;
    svg.querySelector(".cross").innerHTML = band(left, top + i * size, s * size, size, "band")
      + band(left + j * size, top, size, s * size, "band") + band(left + j * size, top + i * size, size, size, "chosen");
    const to = links.has(`${i},${j}`) ? " Click to open the chapter on this pair." : "";
    said.textContent = `${direction(i, j)} ${direction(j, i)}${to}`;
    return true;
  };

  // What is known of one pair
  const show = (i, j) => {
    if (!choose(i, j)) return;
    const [ours, theirs] = [known(i, j), known(j, i)];
    const state = (d) => [[i, ours[d]], [j, theirs[d]]].filter(([, { named }]) => named)
      .map(([k, { named }]) => `${systems[k]}${named > 1 ? ", jointly" : ""}`).join("; ");
    const heads = ["dataset", systems[i], systems[j], `p: ${systems[i]} better`, `p: ${systems[j]} better`, "named"];
    const order = datasets.map((_, d) => d).sort((c, d) => ours[d].e - ours[c].e || ours[c].ten - ours[d].ten);
    const body = order.map((d) => element("tr", {}, ...[datasets[d], scores[i][d], scores[j][d], pvalue(ours[d]), pvalue(theirs[d]), state(d)]
      .map((cell, c) => element("td", { className: c && c < 5 ? "n" : "" }, String(cell)))));
    const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads.map((head, c) => element("th", { scope: "col", className: c && c < 5 ? "n" : "" }, head)))), element("tbody", {}, ...body));
    const scroll = element("div", { className: "scroll", tabIndex: 0 }, table);
    scroll.setAttribute("role", "group");
    const title = `${systems[i]} against ${systems[j]}`;
    scroll.setAttribute("aria-label", title);
    detail.setAttribute("aria-label", title);
    const both = (a, b) => `${counts[a][b][0]} of ${n} (${counts[a][b][1]} jointly)`;
    const close = element("button", { type: "button", onclick: () => { detail.hidden = true; map.focus(); } }, "Close");
    const more = [element("a", { href: `#${hash(i, j)}` }, "Link to this pair"), element("a", { href: `#${hash(j, i)}` }, "Swap the systems")];
    if (links.has(`${i},${j}`)) more.unshift(element("a", { href: links.get(`${i},${j}`) }, "Chapter on this pair"));
    detail.replaceChildren(
      element("p", {}, element("strong", {}, title), ` · ${score}. Lower bounds on the number of datasets: ${systems[i]} is better on ${both(i, j)}, ${systems[j]} on ${both(j, i)}.`),
      scroll,
      element("p", {}, ...more.flatMap((link) => [link, " · "]), close),
    );
    detail.id = hash(i, j);
    detail.hidden = false;
    detail.focus({ preventScroll: true });
    detail.scrollIntoView({ block: "nearest" });
  };
  const go = (i, j) => {
    if (!counts[i]?.[j]) { said.textContent = `${systems[i]} and ${systems[j]} were not compared; choose another pair.`; return; }
    if (location.hash === `#${encodeURIComponent(hash(i, j))}`) show(i, j);
    else location.hash = encodeURIComponent(hash(i, j));
  };
  const follow = (i, j) => { if (links.has(`${i},${j}`)) location.href = links.get(`${i},${j}`); else go(i, j); };
  const readAddress = () => {
    let wanted = "";
    try { wanted = decodeURIComponent(location.hash.slice(1)); } catch { /* no address of ours */ }
    if (!wanted.startsWith(`pair-${slug(family)}-`)) return;
    for (let i = 0; i < s; i += 1) {
      for (let j = 0; j < s; j += 1) {
        if (i !== j && hash(i, j) === wanted) { show(i, j); return; }
      }
    }
  };

  // Pointer and keyboard
  const under = (event) => {
    const { left: x, top: y, width: w } = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / w;
    return [Math.floor(((event.clientY - y) * scale - top) / size), Math.floor(((event.clientX - x) * scale - left) / size)];
  };
  svg.addEventListener("pointermove", (event) => choose(...under(event)));
  svg.addEventListener("click", (event) => { const to = under(event); if (choose(...to)) follow(...to); });
  map.addEventListener("keydown", (event) => {
    if (event.target !== map) return;
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step && !(event.key === "Enter" && at)) return;
    event.preventDefault();
    if (!step) { follow(...at); return; }
    const [i, j] = at ? [at[0] + step[0], at[1] + step[1]] : [0, 1];
    if (!choose(i, j)) choose(i + step[0], j + step[1]);
    map.scrollLeft = Math.max(0, (left + at[1] * size) * (svg.getBoundingClientRect().width / width) - map.clientWidth / 2);
  });
  open.addEventListener("click", () => go(first.selectedIndex, second.selectedIndex));
  addEventListener("hashchange", readAddress);

  draw();
  box.prepend(element("div", { className: "plane-bar" }, claims, asked), said, map, detail);
  readAddress();
}
