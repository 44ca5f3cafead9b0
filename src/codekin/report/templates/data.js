/* The data: numbers of all rows at once, everything else by page and only when it is asked for. */

const about = JSON.parse($("about").textContent);
const { measures, systems } = about;
const byName = new Map(measures.map((measure) => [measure.name, measure]));
const columns = {}; // system, language, other, task, failed, perhaps outcome, p, p_low and p_high, and measure-0, measure-1, ...
const NONE = 0xffffffff;
let ids = [];
let explained = new Uint32Array(0);
let placeOfExplained = null; // for each row its place among the explained ones, or NONE

async function loadColumns() {
  const kinds = { Int32: Int32Array, Uint8: Uint8Array, Float32: Float32Array };
  const jobs = Object.entries(about.columns).map(async ([name, kind]) => {
    columns[name] = new kinds[kind](await inflate(`column-${name}`));
  });
  jobs.push(inflateJson("ids").then((list) => { ids = list; }));
  jobs.push(inflate("explained").then((buffer) => { explained = new Uint32Array(buffer); }));
  await Promise.all(jobs);
  measures.forEach((measure, i) => { measure.values = columns[`measure-${i}`]; });
  if (about.outcome) {
    const known = columns.outcome.filter((x) => x === x);
    let low = Infinity, high = -Infinity;
    for (const x of known) { if (x < low) low = x; if (x > high) high = x; }
    byName.set("outcome", { name: "outcome", values: columns.outcome, plain: true, low: Math.min(0, low), high: Math.max(1, high), summary: "the outcome that the rows came with" });
  }
  if (about.chances && !byName.has("p")) byName.set("p", { name: "p", values: columns.p, plain: true, low: 0, high: 1, summary: "the probability that the outcome is 1" });
  placeOfExplained = new Uint32Array(about.rows).fill(NONE);
  explained.forEach((row, place) => { placeOfExplained[row] = place; });
}

/* Pages, of which the last few are kept inflated. */
const KEPT = 24;
const kept = new Map();
function page(kind, number, keep = true) {
  const name = `${kind}-${number}`;
  const known = kept.get(name);
  if (known) { kept.delete(name); kept.set(name, known); return known; }
  const coming = inflateJson(name);
  if (keep) {
    kept.set(name, coming);
    if (kept.size > KEPT) kept.delete(kept.keys().next().value);
  }
  return coming;
}
// The page with an item, and the item's place in it.
function place(kind, item) {
  const starts = about.pages[kind];
  let low = 0, high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= item) low = middle; else high = middle - 1;
  }
  return [low, item - starts[low]];
}
async function itemOf(kind, item) {
  const [number, at] = place(kind, item);
  return (await page(kind, number))[at];
}
function rowOnPage(content, at) {
  return {
    candidate: content.candidate[at],
    fields: (content.fields && content.fields[at]) || {},
    told: content.told[at] || {},
    part: (number) => { const column = content.parts[number]; const value = column ? column[at] : null; return value === undefined ? null : value; },
  };
}
async function readRow(row) {
  const [number, at] = place("rows", row);
  const task = columns.task[row], explanation = placeOfExplained[row];
  const [content, texts, why] = await Promise.all([
    page("rows", number),
    task < 0 ? [null, null] : itemOf("tasks", task),
    explanation === NONE ? null : itemOf("why", explanation),
  ]);
  return { row, ...rowOnPage(content, at), references: texts[0], origin: texts[1], why };
}

/* What is known of a row without its page */
const systemOf = (row) => systems[columns.system[row]];
const runOf = (row) => about.runs[systemOf(row).run];
const languageTitle = (code) => about.languages[code][1];
function spoken(row) {
  const own = columns.language[row], other = columns.other[row];
  return own === other ? languageTitle(own) : `${languageTitle(other)} → ${languageTitle(own)}`;
}
// What tells a row from others at a glance; a language that nobody named is left out.
const chanceText = (row) => columns.p && columns.p[row] === columns.p[row] ? `p ${columns.p[row].toFixed(2)}` : "";
const whose = (row) => [systems.length > 1 ? systemOf(row).name : "", spoken(row)].filter(Boolean);

/* Numbers */
const number = (x) => x === null || x !== x ? "–" : (Number.isInteger(x) ? String(x) : x.toFixed(Math.abs(x) < 10 ? 3 : 1)).replace("-", "−");
const scoreText = (measure, row) => {
  const value = measure.values[row];
  return value !== value ? "–" : measure.distance || measure.plain ? number(value) : value.toFixed(3);
};
// From 0 to 1, where 1 is alike, for a distance as well; NaN where there is no score.
const likeness = (measure, row) => measure.distance ? 1 - measure.values[row] / measure.high : measure.values[row];
const share = (x) => x === x ? Math.max(0, Math.min(1, x)) : 0;
