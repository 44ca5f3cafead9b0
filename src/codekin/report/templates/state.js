/* State, address, keys and the beginning. */

const state = { row: 0, measure: "", theme: "", wrap: "", against: "", all: "" };
let firstOfId = null; // for each id its first row, and which ids are on several
const severalOfId = new Set();

function update(quiet) {
  select();
  if (shown.length && (whereShown[state.row] ?? NONE) === NONE) {
    const id = ids[state.row]; // another system may have a row of the same name
    state.row = (severalOfId.has(id) && shown.find((row) => ids[row] === id)) || shown[0];
    state.against = "";
  }
  tieFields();
  drawList();
  drawScatter();
  const drawn = drawDetail();
  if (!quiet) remember();
  return drawn;
}
function choose(row) {
  if (row !== state.row) state.against = "";
  state.row = row;
  $("missing").replaceChildren();
  showSelected();
  drawItems(true);
  moveRing();
  remember();
  return drawDetail();
}
// Opens a row from elsewhere in the page; filters that hide it give way.
function visit(row) {
  if (whereShown[row] === NONE) { clearFilters(); update(true); }
  choose(row);
  $("pairs").scrollIntoView();
}
function move(step) {
  if (!shown.length) return;
  const at = whereShown[state.row];
  choose(shown[Math.max(0, Math.min(shown.length - 1, (at === NONE ? 0 : at) + step))]);
}
function setMeasure(name) {
  state.measure = name;
  drawList();
  remember();
  return drawDetail();
}
function turn(step) {
  const at = measures.findIndex((measure) => measure.name === state.measure);
  if (measures.length) setMeasure(measures[(at + step + measures.length) % measures.length].name);
}
function clearFilters() {
  for (const name of ["q", "group", "language", "show", "outcome", "range"]) if ($(name)) $(name).value = "";
  $("from").value = "0";
  $("to").value = "1000";
  find("", () => {});
}

/* The address holds what is shown, so that a view can be linked. */
function remember(where) {
  const words = new URLSearchParams();
  if (where) words.set("see", where); // the part of the page to begin with, if not the pairs
  const known = state.row < about.rows; // there is none where nothing fits the filters
  if (known) words.set("pair", ids[state.row]);
  if (known && severalOfId.has(ids[state.row])) words.set("row", state.row + 1);
  for (const name of ["measure", "theme", "wrap", "against"]) if (state[name]) words.set(name, state[name]);
  for (const name of fields) {
    if (valueOf(name) === (plainOf[name] || "")) continue;
    if ((["order", "minus"].includes(name) && !valueOf("sort")) || (["from", "to"].includes(name) && !valueOf("range"))) continue;
    words.set(name, valueOf(name));
  }
  if (remember.axes && $("x") && (valueOf("x") !== remember.axes[0] || valueOf("y") !== remember.axes[1])) { words.set("x", valueOf("x")); words.set("y", valueOf("y")); }
  rememberRanking(words);
  rememberColumns(words);
  try { history.replaceState(null, "", "#" + words); } catch { /* some viewers forbid it; the report works without */ }
}
const offers = (name, value) => !$(name).options || [...$(name).options].some((one) => one.value === value);
// Takes over what the address says; answers with the part of the page that it speaks of.
function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  if (![...words.values()].some(Boolean)) return null;
  const speaks = (names) => names.some((name) => words.has(name));
  if (speaks(["pair", "row", "group", "sort", "q", "language", "show"])) {
    for (const name of fields) {
      const value = words.has(name) ? words.get(name) : plainOf[name] || "";
      if (offers(name, value)) $(name).value = value;
    }
    const wanted = words.get("pair"), missing = wanted && !firstOfId.has(wanted);
    $("missing").replaceChildren(...(missing ? ["no such row: ", ...visible(wanted)] : []));
    if (missing || !words.has("pair")) state.row = NONE;
    if (valueOf("range") || valueOf("outcome")) $("more").open = true;
  }
  for (const name of ["x", "y"]) if ($(name) && words.has(name) && offers(name, words.get(name))) $(name).value = words.get(name);
  const row = Number(words.get("row")) - 1, id = words.get("pair");
  if (row >= 0 && row < about.rows && (id === null || ids[row] === id)) state.row = row;
  else if (firstOfId.has(id)) state.row = firstOfId.get(id);
  if (measures.some((measure) => measure.name === words.get("measure"))) state.measure = words.get("measure");
  if (["light", "dark"].includes(words.get("theme"))) setTheme(words.get("theme"));
  if (words.has("wrap")) state.wrap = words.get("wrap") ? "1" : "";
  state.against = words.get("against") || "";
  const ranks = [readRanking(words), readColumns(words)].some(Boolean);
  if (["overview", "side-by-side", "distributions"].includes(words.get("see"))) return words.get("see");
  return speaks(["pair", "row", "group", "sort", "q", "language", "show"]) ? "pairs" : speaks(["x", "y"]) ? "agreement" : ranks ? "overview" : null;
}
const findNow = () => find(valueOf("q"), () => update());

whenThemed = () => { state.theme = document.documentElement.dataset.theme || ""; };
function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const writing = event.target.matches("input, select, textarea");
  if (event.key === "Escape") { $("list").focus({ preventScroll: !writing }); return; }
  if (writing) return;
  const inList = $("list").contains(event.target);
  const leap = Math.max(1, Math.floor($("list").clientHeight / ITEM) - 1);
  const steps = { j: 1, k: -1, ...(inList ? { ArrowDown: 1, ArrowUp: -1, PageDown: leap, PageUp: -leap, End: 1e9, Home: -1e9 } : {}) };
  if (event.key in steps) move(steps[event.key]);
  else if (event.key === "h" || event.key === "l") turn(event.key === "l" ? 1 : -1);
  else if (event.key === "/") $("q").focus();
  else if (event.key === "Enter" && inList) { $("detail").focus({ preventScroll: true }); $("detail").scrollIntoView({ block: "start" }); }
  else return;
  event.preventDefault();
}
function listen() {
  let typing = 0;
  for (const name of fields) {
    if (name === "q") $("q").addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(findNow, 150); });
    else $(name).addEventListener("input", () => { if (name === "range") { $("from").value = "0"; $("to").value = "1000"; } update(); });
  }
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("reset").addEventListener("click", () => { clearFilters(); update(); $("list").focus(); });
  themeButton.addEventListener("click", () => { drawScatter(); remember(); });
  dark.addEventListener("change", () => drawScatter());
  $("list").addEventListener("scroll", () => requestAnimationFrame(() => drawItems(false)), { passive: true });
  new ResizeObserver(() => drawItems(true)).observe($("list"));
  addEventListener("hashchange", () => {
    const aim = readAddress();
    if (!aim) return;
    update(true);
    drawRanking();
    findNow();
    $(aim).scrollIntoView();
  });
  document.addEventListener("keydown", keys);
}
async function begin() {
  if (!("DecompressionStream" in globalThis)) {
    $("waiting").textContent = "The browser of rows needs a browser of 2023 or later, which can inflate the data in this file.";
    $("waiting").hidden = false;
    return;
  }
  await loadColumns();
  firstOfId = new Map();
  ids.forEach((id, row) => { if (firstOfId.has(id)) severalOfId.add(id); else firstOfId.set(id, row); });
  $("browser").hidden = $("theme").hidden = false;
  state.measure = (measures.find((measure) => measure.name === "bleu") || measures[0] || { name: "" }).name;
  state.row = about.open;
  if (about.rows) fillAxes();
  if ($("x")) remember.axes = [valueOf("x"), valueOf("y")];
  setTheme("");
  startRanking();
  startColumns();
  const aim = readAddress();
  await drawRanking();
  listen();
  startScatter();
  if (valueOf("q")) findNow();
  await update(true);
  if (aim) $(aim).scrollIntoView();
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}
begin();
