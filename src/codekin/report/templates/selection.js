/* Which rows are shown, and in which order. */

const fields = ["q", "group", "language", "sort", "minus", "order", "show", "outcome", "range", "from", "to"].filter((name) => $(name));
const plainOf = { order: "up", from: "0", to: "1000" }; // what a field says when it says nothing; else ""
const valueOf = (name) => ($(name) ? $(name).value : "");
let shown = new Uint32Array(0);
let whereShown = null; // for each row its place in `shown`, or NONE

function limits() {
  const axis = byName.get(valueOf("range"));
  if (!axis) return null;
  const low = axis.low || 0, size = axis.high - low;
  const at = (name) => low + size * Number(valueOf(name)) / 1000;
  const [from, to] = [at("from"), at("to")];
  return { axis, from: Math.min(from, to), to: Math.max(from, to), slack: size * 1e-6 };
}

// The test that a row must pass, as one function of its number.
function test() {
  const group = systems.findIndex((system) => system.name === valueOf("group"));
  const language = about.languages.findIndex(([name]) => name === valueOf("language"));
  const chosen = { group: valueOf("group") !== "", language: valueOf("language") !== "" };
  const show = valueOf("show"), outcome = valueOf("outcome"), range = limits();
  const wanted = outcome === "" ? null : Math.fround(Number(outcome));
  const { system, language: own, other, failed } = columns;
  return (row) =>
    (!chosen.group || system[row] === group) &&
    (!chosen.language || own[row] === language || other[row] === language) &&
    (show === "" || (show === "failed" ? failed[row] === 1 : show === "scored" ? failed[row] === 0 : placeOfExplained[row] !== NONE)) &&
    (wanted === null || Math.abs(columns.outcome[row] - wanted) < 1e-6) &&
    (!range || (range.axis.values[row] >= range.from - range.slack && range.axis.values[row] <= range.to + range.slack)) &&
    found(row);
}

// What the rows are sorted by: nothing, a measure, or the difference of two.
function sorting() {
  const first = byName.get(valueOf("sort")), second = byName.get(valueOf("minus"));
  if (!first) return null;
  if (!second || second === first) return { first, key: (row) => likeness(first, row), text: (row) => scoreText(first, row), name: first.name };
  const key = (row) => likeness(first, row) - likeness(second, row);
  return { first, second, key, name: `${first.name} minus ${second.name}`, text: (row) => { const x = key(row); return x === x ? (x > 0 ? "+" : x < 0 ? "−" : "") + Math.abs(x).toFixed(3) : "–"; } };
}

function select() {
  const passes = test();
  const list = new Uint32Array(about.rows);
  let count = 0;
  for (let row = 0; row < about.rows; row++) if (passes(row)) list[count++] = row;
  shown = list.slice(0, count);
  const by = sorting();
  if (by) {
    const keys = new Float32Array(about.rows);
    for (const row of shown) keys[row] = by.key(row);
    const sign = valueOf("order") === "down" ? -1 : 1;
    // Rows without a value come last either way, and equals stay in the given order.
    shown.sort((a, b) => {
      const x = keys[a], y = keys[b];
      if (x !== x || y !== y) return (x !== x) - (y !== y) || a - b;
      return sign * (x - y) || a - b;
    });
  }
  whereShown = new Uint32Array(about.rows).fill(NONE);
  shown.forEach((row, at) => { whereShown[row] = at; });
}

// The fields that hang on others: the words of the order, and the limits.
function tieFields() {
  const by = sorting(), words = $("order").options;
  const plain = by && (by.second || by.first.plain);
  words[0].textContent = plain ? "lowest first" : "least alike first";
  words[1].textContent = plain ? "highest first" : "most alike first";
  $("order").disabled = $("minus").disabled = !by;
  const range = limits();
  $("limits").hidden = !range;
  if (range) {
    const shape = (x) => range.axis.distance || range.axis.plain ? number(Math.round(x * 100) / 100) : x.toFixed(2);
    for (const [name, value] of [["from", range.from], ["to", range.to]]) {
      $(`${name}-shown`).textContent = shape(value);
      $(name).setAttribute("aria-valuetext", shape(value));
    }
    const [a, b] = [Number(valueOf("from")), Number(valueOf("to"))].sort((x, y) => x - y);
    $("limits").style.setProperty("--from", a / 1000);
    $("limits").style.setProperty("--to", b / 1000);
  }
  $("reset").hidden = !["q", "group", "language", "show", "outcome", "range"].some(valueOf);
}

/* Finding a text: ids at once, then page after page, since texts are compressed. */
const search = { words: "", rows: null, tasks: null, done: 1 };
function found(row) {
  if (!search.rows) return true;
  const task = columns.task[row];
  return search.rows[row] === 1 || (task >= 0 && search.tasks[task] === 1);
}
async function find(words, progress) {
  words = words.trim().toLowerCase();
  if (words === search.words) return;
  search.words = words;
  search.done = 1;
  if (!words) { search.rows = search.tasks = null; return progress(); }
  const has = (text) => text !== null && text !== undefined && text.toLowerCase().includes(words);
  const rows = search.rows = new Uint8Array(about.rows), tasks = search.tasks = new Uint8Array(about.rows);
  ids.forEach((id, row) => { if (has(id)) rows[row] = 1; });
  const { rows: rowPages, tasks: taskPages } = about.pages;
  const all = rowPages.length + taskPages.length;
  search.done = 0;
  progress();
  let last = performance.now();
  for (let i = 0; i < all; i++) {
    const inRows = i < rowPages.length, at = inRows ? i : i - rowPages.length;
    const content = await page(inRows ? "rows" : "tasks", at, all <= KEPT);
    if (search.words !== words) return;
    if (inRows) {
      content.candidate.forEach((text, j) => { if (has(text)) rows[rowPages[at] + j] = 1; });
      if (content.fields) content.fields.forEach((one, j) => { if (one && Object.values(one).some((value) => has(String(value)))) rows[rowPages[at] + j] = 1; });
    } else content.forEach(([references, origin], j) => { if (has(origin) || (references && references.some(has))) tasks[taskPages[at] + j] = 1; });
    search.done = (i + 1) / all;
    if (performance.now() - last > 250 || i + 1 === all) { progress(); last = performance.now(); await new Promise(requestAnimationFrame); }
  }
}
