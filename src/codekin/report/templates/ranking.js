/* The order of the systems, which the tables and the plots follow. */

const NAME = "(name)";
const rankFields = ["rank", "ranked", "drawn"];
const listed = $("means") ? [...$("means").tBodies[0].rows].map((row, number) => ({
  number, row,
  corpus: $("corpora") ? $("corpora").tBodies[0].rows[number] : null,
  name: row.dataset.name,
  values: [...row.querySelectorAll("[data-value]")].map((cell) => cell.dataset.value === "" ? NaN : Number(cell.dataset.value)),
})) : [];
const charts = [...document.querySelectorAll("svg[data-step]")].map((svg) => ({
  svg, kind: svg.closest("[data-kind]").dataset.kind, measure: Number(svg.closest("[data-measure]").dataset.measure),
  rows: new Map([...svg.querySelectorAll(".system")].map((row) => [Number(row.dataset.system), row])),
}));
const drawnAtOnce = charts.length ? Math.max(...charts.map((chart) => chart.rows.size)) : 0;
let otherRows = null; // what the plots have of systems beyond the first, once it was asked for

function systemOrder() {
  const by = valueOf("rank"), back = valueOf("ranked") === "up" ? -1 : 1;
  const order = [...listed];
  if (by === NAME) {
    const words = new Intl.Collator("en", { numeric: true });
    order.sort((a, b) => back * words.compare(a.name, b.name) || a.number - b.number);
  } else if (by) {
    const at = measures.findIndex((measure) => measure.name === by), sign = back * (measures[at].distance ? 1 : -1);
    order.sort((a, b) => {
      const x = a.values[at], y = b.values[at];
      if (x !== x || y !== y) return (x !== x) - (y !== y) || a.number - b.number; // without a value: last either way
      return sign * (x - y) || a.number - b.number;
    });
  }
  return order;
}
function orderWords() {
  const by = valueOf("rank");
  if (!by) return "in the given order";
  const direction = $("ranked").selectedOptions[0].textContent;
  return by === NAME ? `by name, ${direction}` : `by ${by}, ${direction}`;
}

function drawTables(order) {
  const few = Number($("means").dataset.seen), all = state.all || order.length <= few;
  const fold = (row, at) => { row.hidden = !all && at >= few; };
  $("means").tBodies[0].append(...order.map(({ row }, at) => { fold(row, at); return row; }));
  if ($("corpora")) $("corpora").tBodies[0].append(...order.map(({ corpus }, at) => { fold(corpus, at); return corpus; }));
  const what = $("means").dataset.what;
  for (const line of document.querySelectorAll(".fold")) {
    line.hidden = order.length <= few;
    line.firstElementChild.textContent = all ? `All ${many(order.length)} ${what} are listed, ${orderWords()}.` : `The first ${few} of ${many(order.length)} ${what} are listed, ${orderWords()}.`;
    line.lastElementChild.textContent = all ? `Show ${few}` : `Show all ${many(order.length)}`;
    line.lastElementChild.setAttribute("aria-expanded", String(Boolean(all)));
  }
}
function drawHeads() {
  const by = valueOf("rank"), most = valueOf("ranked") !== "up";
  for (const head of $("means").tHead.querySelectorAll("[data-rank]")) {
    const measure = byName.get(head.dataset.rank), falls = measure && !measure.distance ? most : !most;
    if (head.dataset.rank === by) head.setAttribute("aria-sort", falls ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  }
  const words = $("ranked").options, named = by === NAME;
  words[0].textContent = named ? "A to Z" : "most alike first";
  words[1].textContent = named ? "Z to A" : "least alike first";
  $("ranked").disabled = !by;
}
// The row of a system in a plot; it is drawn by the same hand as those that stand in the page.
function chartRow(chart, number) {
  if (!chart.rows.has(number)) {
    const markup = otherRows[chart.kind][chart.measure][number - drawnAtOnce];
    // As HTML, for names may have signs that XML forbids; it is as escaped as the page itself.
    const parsed = new DOMParser().parseFromString(`<svg><g class="system" data-system="${number}">${markup}</g></svg>`, "text/html");
    chart.rows.set(number, document.importNode(parsed.querySelector(".system"), true));
  }
  return chart.rows.get(number);
}
// The axis of an interval plot fits what stands in it: plots.py chooses it in the same way.
function niceRange(low, high) {
  const size = Math.max(Math.abs(low), Math.abs(high));
  const room = Math.max(high - low > 1e-6 * size ? high - low : size / 10, 1e-9);
  let step = 10 ** Math.floor(Math.log10(room / 3));
  step *= [1, 2, 5, 10].find((factor) => step * factor * 4.5 >= room);
  const first = Math.floor(low / step + 1e-9), last = Math.max(Math.ceil(high / step - 1e-9), first + 1);
  const ticks = [];
  for (let i = first; i <= last; i++) ticks.push([i * step, String(Number((i * step).toPrecision(10)))]);
  return ticks;
}
function fitAxis(chart, rows) {
  const dots = rows.flatMap((row) => [...row.querySelectorAll(".dot")].map((dot) => [dot, dot.dataset.at.split(" ").map(Number)]));
  if (!dots.length) return;
  const ends = dots.flatMap(([, at]) => at);
  let ticks = niceRange(Math.min(...ends), ends.some(Boolean) ? Math.max(...ends) : 1);
  const [low, high] = [ticks[0][0], ticks.at(-1)[0]];
  if (!measures[chart.measure].distance && (low < 0 || high > 1 || high - low > .75)) ticks = [[0, "0"], [.25, ".25"], [.5, ".5"], [.75, ".75"], [1, "1"]];
  const [from, to] = [ticks[0][0], ticks.at(-1)[0]], left = Number(chart.svg.dataset.left), right = Number(chart.svg.dataset.right);
  const x = (value) => (left + (right - left) * (value - from) / (to - from)).toFixed(1);
  for (const [dot, [mean, lower, upper]] of dots) {
    dot.querySelector("circle").setAttribute("cx", x(mean));
    const line = dot.querySelector("line");
    if (line) { line.setAttribute("x1", x(lower)); line.setAttribute("x2", x(upper)); }
  }
  const lines = [...chart.svg.querySelectorAll(".grid")], words = [...chart.svg.querySelectorAll(".tick")];
  chart.svg.prepend(...ticks.flatMap(([value, text]) => {
    const line = lines[0].cloneNode(), word = words[0].cloneNode();
    line.setAttribute("x1", x(value));
    line.setAttribute("x2", x(value));
    word.setAttribute("x", x(value));
    word.textContent = text;
    return [line, word];
  }));
  for (const old of [...lines, ...words]) old.remove();
  chart.svg.setAttribute("aria-label", `Means of ${measures[chart.measure].name} with 95 % intervals, from ${ticks[0][1]} to ${ticks.at(-1)[1]}`);
}
async function drawPlots(order) {
  const first = Number(valueOf("drawn") || 1) - 1, chosen = order.slice(first, first + drawnAtOnce);
  if (!otherRows && chosen.some(({ number }) => number >= drawnAtOnce)) otherRows = await inflateJson("plots");
  for (const chart of charts) {
    const { top, step } = chart.svg.dataset;
    const rows = chosen.map(({ number }, at) => {
      const row = chartRow(chart, number);
      row.setAttribute("transform", `translate(0 ${Number(top) + Number(step) * at})`);
      return row;
    });
    for (const row of chart.svg.querySelectorAll(".system")) row.remove();
    chart.svg.append(...rows);
    if (chart.kind === "intervals") fitAxis(chart, rows);
  }
  const what = $("means").dataset.what, left = order.length - chosen.length;
  const range = left ? `Drawn are ${first + 1} to ${first + chosen.length} of ${many(order.length)} ${what}, ${orderWords()}; ${many(left)} are not.` : valueOf("rank") ? `Ordered ${orderWords()}.` : "";
  for (const line of document.querySelectorAll(".drawn-told")) line.textContent = range;
}
async function drawRanking() {
  if (!listed.length || !$("rank")) return;
  const order = systemOrder();
  for (const copy of document.querySelectorAll("select.drawn")) copy.value = valueOf("drawn");
  drawHeads();
  drawTables(order);
  await drawPlots(order);
}
function rank(by, direction) {
  $("rank").value = by;
  $("ranked").value = direction;
  reRank();
}
function reRank(where = "overview") {
  remember(where);
  return drawRanking();
}
// A head of the table orders it: the likest first, the least alike first, as given.
function turnHead(by) {
  if (valueOf("rank") !== by) rank(by, "");
  else if (valueOf("ranked") === "") rank(by, "up");
  else rank("", "");
}

function rememberRanking(words) {
  if (!$("rank")) return;
  if (valueOf("rank")) words.set("rank", valueOf("rank"));
  if (valueOf("rank") && valueOf("ranked")) words.set("ranked", valueOf("ranked"));
  if (Number(valueOf("drawn")) > 1) words.set("drawn", valueOf("drawn"));
  if (state.all) words.set("all", "1");
}
function readRanking(words) {
  if (!$("rank") || ![...rankFields, "all"].some((name) => words.has(name))) return false;
  for (const name of rankFields) {
    const value = words.get(name) || (name === "drawn" ? "1" : "");
    if ($(name) && offers(name, value)) $(name).value = value;
  }
  state.all = words.get("all") ? "1" : "";
  return true;
}
function startRanking() {
  if (!$("rank")) return;
  const last = Math.max(0, listed.length - drawnAtOnce);
  for (let first = 0; first < last + drawnAtOnce; first += drawnAtOnce) {
    const from = Math.min(first, last); // the last plots are full as well
    for (const choice of document.querySelectorAll("select.drawn")) choice.append(make("option", { value: from + 1 }, `${from + 1} to ${Math.min(listed.length, from + drawnAtOnce)}`));
  }
  for (const choice of document.querySelectorAll("select.drawn")) {
    choice.closest("label").hidden = last === 0;
    choice.addEventListener("input", () => { $("drawn").value = choice.value; reRank(choice.closest("section").id); });
  }
  for (const head of $("means").tHead.querySelectorAll("[data-rank]")) {
    const words = head.querySelector(".by");
    const button = make("button", { type: "button", class: "by", title: words.title, on: { click: () => turnHead(head.dataset.rank) } });
    button.append(...words.childNodes);
    words.replaceWith(button);
  }
  for (const line of document.querySelectorAll(".fold")) line.lastElementChild.addEventListener("click", () => { state.all = state.all ? "" : "1"; reRank(); });
  for (const name of ["rank", "ranked"]) $(name).addEventListener("input", () => reRank());
  $("ranking").addEventListener("submit", (event) => event.preventDefault());
  $("ranking").hidden = false;
}
