/* The classes of a scan: which are shown, the chosen one, its pairs, keys and the address. */

const about = JSON.parse($("about").textContent);
const NONE = 0xffffffff;
const COPIES = { T1: "copies", T2: "copies with other names or values", T3: "copies with changed statements", T4: "rewritten copies" };
const FEW_PLACES = 60; // that are listed at once
const MOST_ROWS = 1500;
const AROUND = 3; // equal lines that are shown around a difference
const state = { row: 0, pair: [0, 1], all: false, folded: false };
let files = [], classes = [], why = {};
let shown = new Uint32Array(0), whereShown = new Uint32Array(0);

/* Data */
function readClass([type, score, saved, flat, pairs, within], row) {
  const places = [];
  for (let i = 0; i < flat.length; i += 8) {
    const [file, start, end, name, code, offset, flags, lines] = flat.slice(i, i + 8);
    places.push({ file, start, end, name, code, offset, lines, isNew: Boolean(flags & 1), changed: Boolean(flags & 2) });
  }
  const findings = new Map();
  for (let i = 0; i < pairs.length; i += 4) findings.set(`${pairs[i]}-${pairs[i + 1]}`, { pair: [pairs[i], pairs[i + 1]], type: about.types[pairs[i + 2]], score: pairs[i + 3] });
  return {
    row, number: row + 1, type: about.types[type], score, saved, places, findings, within, inside: [], words: null,
    lines: places.reduce((most, one) => Math.max(most, one.lines), 0), isNew: places.some((one) => one.isNew),
  };
}
const pathOf = (place) => `${files[place.file]}:${place.start}-${place.end}`;
const pathNodes = (place) => [...visible(files[place.file]), make("span", { class: "where" }, `:${place.start}-${place.end}`)];
const titleOf = (one) => one.places[0].name || files[one.places[0].file].replace(/^.*\//, "");

/* Which classes are shown, and in which order */
const fields = ["q", "type", "language", "folder", "other", "least", "sort", "new"].filter((name) => $(name));
const isBox = (name) => $(name).type === "checkbox";
const valueOf = (name) => (!$(name) ? "" : isBox(name) ? ($(name).checked ? "1" : "") : $(name).value.trim());
const plainOf = {}; // what a field says at first
function test() {
  const words = valueOf("q").toLowerCase().split(/\s+/).filter(Boolean), type = valueOf("type"), onlyNew = valueOf("new");
  const language = valueOf("language") === "" ? -1 : about.languages.findIndex(([name]) => name === valueOf("language"));
  const folder = valueOf("folder"), other = valueOf("other"), least = Number(valueOf("least")) || 0;
  const inFolder = (one, number) => one.places.filter((place) => about.folderOf[place.file] === number).length;
  const inBoth = (one) => folder === "" || other === "" ? inFolder(one, Number(folder || other)) > 0
    : folder === other ? inFolder(one, Number(folder)) > 1 : inFolder(one, Number(folder)) && inFolder(one, Number(other));
  const has = (one) => {
    one.words ??= one.places.map((place) => `${files[place.file]} ${place.name}`).join("\n").toLowerCase();
    return words.every((word) => one.words.includes(word));
  };
  return (one) => (!type || one.type === type) && (!onlyNew || one.isNew) && one.lines >= least
    && (language < 0 || one.places.some((place) => about.languageOf[place.file] === language))
    && ((folder === "" && other === "") || inBoth(one)) && (!words.length || has(one));
}
const compare = new Intl.Collator("en", { numeric: true });
const ORDERS = {
  lines: (a, b) => b.lines - a.lines, places: (a, b) => b.places.length - a.places.length,
  score: (a, b) => a.score - b.score, file: (a, b) => compare.compare(pathOf(a.places[0]), pathOf(b.places[0])),
};
function select() {
  const list = classes.filter(test()), order = ORDERS[valueOf("sort")];
  if (order) list.sort((a, b) => order(a, b) || a.row - b.row);
  shown = Uint32Array.from(list, (one) => one.row);
  whereShown = new Uint32Array(classes.length).fill(NONE);
  shown.forEach((row, at) => { whereShown[row] = at; });
}

/* Only equal code has a score of 1.00. */
function scoreText(score) {
  return (score < 1 ? Math.min(score, 0.99) : score).toFixed(2);
}

/* The list */
function listItem(at, top) {
  const one = classes[shown[at]];
  const value = valueOf("sort") === "score" ? scoreText(one.score) : valueOf("sort") === "lines" ? several(one.lines, "line") : valueOf("sort") === "places" ? several(one.places.length, "copy", "copies") : several(one.saved, "line");
  return option(at, top,
    make("b", { title: titleOf(one) }, titleOf(one)), make("span", { class: "value" }, value),
    make("small", {}, `${one.number} · ${one.places.length} places · `, files[one.places[0].file].split("/").slice(-2).join("/")),
    make("span", { class: `type ${one.type}` }, one.isNew ? `${one.type} new` : one.type));
}
function drawList() {
  layOutList();
  let saved = 0;
  for (const row of shown) saved += classes[row].saved;
  $("found").textContent = `${shown.length === classes.length ? "" : `${many(shown.length)} of `}${several(classes.length, "class", "classes")}; ${several(saved, "line")} could be saved`;
  $("reset").hidden = !fields.some((name) => name !== "sort" && valueOf(name) !== "");
}

/* The chosen class */
function firstPair(one) {
  const known = one.places.findIndex((place) => !place.isNew), fresh = one.places.findIndex((place) => place.isNew);
  if (fresh >= 0 && known >= 0) return [known, fresh];
  const own = [...one.findings.values()].find((finding) => finding.type === one.type);
  const told = why[one.row] || own?.pair;
  return told ? [told[0], told[1]] : [0, Math.min(1, one.places.length - 1)];
}
const findingOf = (one, [i, j]) => one.findings.get(i < j ? `${i}-${j}` : `${j}-${i}`);
function placeItem(one, place, i) {
  const side = (at, name) => make("button", { type: "button", class: `end end-${at}`, "aria-pressed": String(state.pair[at] === i), "aria-label": `Show place ${i + 1} on the ${name}`, title: `Show on the ${name}`, on: { click: () => showPair(at ? [state.pair[0], i] : [i, state.pair[1]]) } }, at ? "R" : "L");
  return make("li", {}, make("span", { class: "ends" }, side(0, "left"), side(1, "right")),
    make("span", { class: "path" }, pathNodes(place), place.name ? make("b", {}, place.name) : null,
      place.isNew ? make("em", { class: "new" }, "new") : null, place.changed ? make("em", { class: "stale" }, "changed since the scan") : null,
      about.problems[place.file] ? make("em", { class: "stale" }, "not readable") : null));
}
function placeList(one) {
  const most = state.all ? one.places.length : Math.max(FEW_PLACES, ...state.pair.map((i) => i + 1));
  const list = make("ol", { class: "places", id: "places" }, one.places.slice(0, most).map((place, i) => placeItem(one, place, i)));
  if (most >= one.places.length) return [list];
  return [list, make("button", { type: "button", class: "small", on: { click: () => { state.all = true; drawDetail(); } } }, `Show all ${many(one.places.length)} places`)];
}
function drawDetail() {
  const one = classes[state.row];
  if (!shown.length || !one) {
    $("detail").replaceChildren(make("p", { class: "empty" }, "No class fits the filters."));
    return null;
  }
  $("detail").replaceChildren(
    make("h3", {}, `Class ${many(one.number)}: `, titleOf(one)),
    make("p", { class: "meta" }, make("span", { class: `type ${one.type}` }, one.type), ` ${many(one.places.length)} ${COPIES[one.type]} · ${several(one.saved, one.inside.length ? "more line" : "line")} could be saved${one.score < 1 ? ` · lowest score ${scoreText(one.score)}` : ""}`),
    ...relation(one),
    ...placeList(one),
    make("div", { id: "pair", class: "pair" }));
  return drawPair();
}
function open(row) {
  if (whereShown[row] === NONE) { clearFilters(); select(); drawList(); }
  choose(row);
}
function relation(one) {
  const link = (number) => make("button", { type: "button", class: "small", title: titleOf(classes[number - 1]), on: { click: () => open(number - 1) } }, `${many(number)} (${classes[number - 1].type}, ${many(classes[number - 1].places.length)})`);
  const parts = [];
  if (one.within) parts.push("Others like them are in class ", link(one.within), ".");
  if (one.inside.length) parts.push(`${one.within ? " " : ""}Some of them differ less: class${one.inside.length > 1 ? "es" : ""} `, ...one.inside.flatMap((number, i) => [i ? " " : "", link(number)]), ".");
  return parts.length ? [make("p", { class: "meta relation" }, ...parts)] : [];
}
function pairsOf(one) {
  if (one.places.length * (one.places.length - 1) / 2 <= 5000 && one.places.length > 1) {
    const all = [];
    for (let i = 0; i < one.places.length; i++) for (let j = i + 1; j < one.places.length; j++) all.push([i, j]);
    return all;
  }
  return [...one.findings.values()].map((finding) => finding.pair);
}
function turn(step) {
  const one = classes[state.row], pairs = pairsOf(one);
  if (pairs.length < 2) return;
  const [low, high] = [...state.pair].sort((x, y) => x - y);
  const at = pairs.findIndex(([i, j]) => i === low && j === high);
  showPair(pairs[(Math.max(at, 0) + step + pairs.length) % pairs.length]);
}
function showPair(pair) {
  state.pair = pair;
  for (const at of [0, 1]) document.querySelectorAll(`.end-${at}`).forEach((button, i) => button.setAttribute("aria-pressed", String(i === pair[at])));
  remember();
  if (Math.max(...pair) >= $("places").children.length) return drawDetail();
  return drawPair();
}
function missingCode(place) {
  if (about.problems[place.file]) return `The code of ${pathOf(place)} could not be read for this page: ${about.problems[place.file]}.`;
  return place.code < 0 ? `The code of ${pathOf(place)} is not in this page, which has room for a limited number of lines.` : "";
}
async function drawPair() {
  const one = classes[state.row], pair = state.pair, ends = pair.map((i) => one.places[i]);
  const gone = ends.map(missingCode).filter(Boolean);
  if (gone.length) {
    $("pair").replaceChildren(pairHead(one, null), ...gone.map((text) => make("p", { class: "boxed stale" }, text)));
    return;
  }
  const codes = await Promise.all(ends.map((place) => itemOnPage("code", about.starts, place.code)));
  if (one !== classes[state.row] || pair !== state.pair) return; // the reader has moved on
  const [a, b] = ends.map((place, i) => codeOfPlace(codes[i], place.offset, place.end - place.start + 1));
  const compared = comparePlaces(a, b);
  $("pair").replaceChildren(...[
    pairHead(one, compared), ...ends.filter((place) => place.changed).map((place) => make("p", { class: "stale" }, `${files[place.file]} has changed since the scan: these lines may not be those that were compared.`)),
    whyBox(one, compared), ...sides(ends, compared), legend(compared),
  ].filter(Boolean));
  $("detail").dataset.shown = `${state.row}:${pair.join("-")}`;
}
function pairHead(one, compared) {
  const [i, j] = state.pair, tools = [], tool = (text, title, run, pressed) => make("button", { type: "button", class: "small", title, "aria-pressed": pressed, on: { click: run } }, text);
  if (one.places.length > 2) tools.push(tool("←", "Previous pair (p)", () => turn(-1)), tool("→", "Next pair (n)", () => turn(1)));
  tools.push(tool("Swap", "Swap left and right (s)", swap));
  if (compared && !compared.equal) tools.push(tool("Only differences", "Show only lines that differ, and some around them (d)", fold, String(state.folded)));
  return make("div", { class: "pair-head" }, make("h4", {}, `Places ${i + 1} and ${j + 1}`), make("div", { class: "tools" }, tools));
}
const swap = () => showPair([state.pair[1], state.pair[0]]);
function fold() { state.folded = !state.folded; drawPair(); }
function whyBox(one, compared) {
  const finding = findingOf(one, state.pair), list = [];
  if (state.pair[0] === state.pair[1]) return make("p", { class: "reason" }, "The same place on both sides; choose another one for the left or the right.");
  const head = finding ? [make("span", { class: `type ${finding.type}` }, finding.type), " ", MEANING[finding.type]]
    : ["The scan did not match these two directly: both are copies of other places of the class."];
  list.push(make("li", {}, statementWords(compared)));
  if (nameWords(compared)) list.push(make("li", {}, ...visible(nameWords(compared))));
  if (finding) list.push(make("li", {}, scoreWords(finding, compared, about.fast)));
  const told = why[one.row], [i, j] = [...state.pair].sort((x, y) => x - y);
  if (told && told[0] === i && told[1] === j && told[2].length) {
    list.push(make("li", {}, "What both do, the rarest first: ", told[2].slice(0, 6).flatMap(([name], at) => [at ? "; " : "", featureWords(name)]), "."));
  }
  return make("div", { class: "reason" }, make("p", {}, make("b", {}, "Why? "), head), make("ul", {}, list));
}

/* Two places side by side */
function sides(ends, compared) {
  const lines = rowsOfPair(compared);
  meetEqualLines(lines, compared.a, compared.b);
  const drawn = [drawnLines(compared.a, 0), drawnLines(compared.b, 1)];
  const rows = lines.map(([i, j]) => {
    const states = [drawn[0][i]?.state, drawn[1][j]?.state];
    const blank = (code, at) => at < 0 || !code.lines[at].trim();
    const kind = states.includes("changed") ? "changed" : states.includes("renamed") ? "renamed"
      : (i < 0 || j < 0) && !(blank(compared.a, i) && blank(compared.b, j)) ? "loose" : "same";
    const single = i >= 0 && j >= 0 && compared.a.lines[i].trim() === compared.b.lines[j].trim();
    return { at: [i, j], kind, single };
  });
  const body = make("tbody", {});
  const cells = (row) => row.at.flatMap((at, side) => [
    make("td", { class: `no side-${side}` }, at < 0 ? "" : String(ends[side].start + at)),
    make("td", { class: `line side-${side}${at < 0 ? " void" : ""}` }, at < 0 ? [] : drawn[side][at].nodes)]);
  const draw = (row) => make("tr", { class: `row-${row.kind}${row.single ? " single" : ""}` }, cells(row));
  const skipped = (part) => make("tr", { class: "skipped" }, make("td", { colspan: "4" }, make("button", { type: "button", class: "small", on: { click: (event) => event.target.closest("tr").replaceWith(...part.map(draw)) } }, `${several(part.length, "equal line")}`)));
  const put = (list) => {
    if (!state.folded || compared.equal) return body.append(...list.map(draw));
    const near = list.map(() => false);
    list.forEach((row, at) => { if (row.kind !== "same") for (let k = Math.max(0, at - AROUND); k <= Math.min(list.length - 1, at + AROUND); k++) near[k] = true; });
    for (let at = 0; at < list.length;) {
      let end = at;
      while (end < list.length && near[end] === near[at]) end++;
      if (near[at] || end - at < 3) body.append(...list.slice(at, end).map(draw));
      else body.append(skipped(list.slice(at, end)));
      at = end;
    }
  };
  put(rows.slice(0, MOST_ROWS));
  const columns = make("colgroup", {}, ["no", "line", "no", "line"].map((name) => make("col", { class: `col-${name}` })));
  const table = make("table", { class: "sides", "aria-label": "The two places side by side" }, columns,
    make("thead", {}, make("tr", {}, ends.map((place, side) => make("th", { scope: "col", colspan: "2", class: `side-${side}` }, pathNodes(place), place.name ? make("b", {}, place.name) : null)))), body);
  if (rows.length <= MOST_ROWS) return [table];
  const rest = make("button", { type: "button", class: "small rest", on: { click: () => { put(rows.slice(MOST_ROWS)); rest.remove(); } } }, `Show all ${several(rows.length, "row")}`);
  return [table, rest];
}
function legend({ renames, values, onlyA, onlyB, changed, equal }) {
  if (equal) return null;
  const keys = [];
  if (onlyA + onlyB + changed) keys.push(make("span", { class: "side-0" }, make("i", { class: "only" }, "only left")), make("span", { class: "side-1" }, make("i", { class: "only" }, "only right")));
  if (values.length) keys.push(make("span", {}, make("i", { class: "value" }, "another value")));
  const name = (one) => make("span", {}, make("i", { class: one.colour >= 0 ? "renamed" : "renamed plain-rename", "--of": one.colour >= 0 ? `var(--system-${one.colour})` : null }, short(one.from)), " → ", make("i", { class: one.colour >= 0 ? "renamed" : "renamed plain-rename", "--of": one.colour >= 0 ? `var(--system-${one.colour})` : null }, short(one.to)), make("small", {}, ` ${many(one.times)}×`));
  keys.push(...renames.slice(0, RENAMES).map(name));
  if (renames.length > RENAMES) keys.push(make("span", {}, make("i", { class: "renamed plain-rename" }, `${many(renames.length - RENAMES)} more`)));
  return make("p", { class: "legend-of-pair", id: "legend" }, keys);
}

/* Moving, and the address, which holds what is shown */
function choose(row, pair) {
  state.row = row;
  state.all = false;
  state.pair = pair || firstPair(classes[row]);
  $("missing").replaceChildren();
  showSelected();
  drawItems(true);
  remember();
  return drawDetail();
}
function move(step) {
  if (!shown.length) return;
  const at = whereShown[state.row];
  choose(shown[Math.max(0, Math.min(shown.length - 1, (at === NONE ? 0 : at) + step))]);
}
function update(quiet) {
  select();
  if (shown.length && (whereShown[state.row] ?? NONE) === NONE) { state.row = shown[0]; state.pair = firstPair(classes[state.row]); }
  drawList();
  if (!quiet) remember();
  return drawDetail();
}
function clearFilters() {
  for (const name of fields) if (isBox(name)) $(name).checked = false; else if (name !== "sort") $(name).value = "";
}
function remember() {
  const words = new URLSearchParams();
  if (shown.length) { words.set("class", state.row + 1); words.set("pair", state.pair.map((i) => i + 1).join("-")); }
  for (const name of fields) if (valueOf(name) !== plainOf[name]) words.set(name, valueOf(name));
  try { history.replaceState(null, "", `#${words}`); } catch { /* some viewers forbid it; the page works without */ }
}
// Takes over what the address says; answers whether it is about the clones.
function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  if (!["class", "pair", ...fields].some((name) => words.has(name))) return false;
  for (const name of fields) {
    const value = words.has(name) ? words.get(name) : words.has("class") || name === "sort" ? plainOf[name] : "";
    if (isBox(name)) $(name).checked = value === "1";
    else if (!$(name).options || [...$(name).options].some((one) => one.value === value)) $(name).value = value;
  }
  const wanted = words.get("class"), row = Number(wanted) - 1, known = Number.isInteger(row) && row >= 0 && row < classes.length;
  $("missing").replaceChildren(...(wanted !== null && !known ? ["no such class: ", ...visible(wanted)] : []));
  if (wanted !== null && known) {
    if (!test()(classes[row])) clearFilters();
    state.row = row;
    const pair = (words.get("pair") || "").split("-").map((i) => Number(i) - 1);
    const isPair = pair.length === 2 && pair.every((i) => Number.isInteger(i) && i >= 0 && i < classes[row].places.length);
    state.pair = isPair ? pair : firstPair(classes[row]);
  } else state.row = NONE;
  return true;
}
const KEYS = { n: () => turn(1), p: () => turn(-1), s: swap, d: fold, "/": () => { $("q").focus(); $("q").select(); } };
function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const writing = event.target.matches("input, select, textarea");
  if (event.key === "Escape") { $("list").focus({ preventScroll: !writing }); return; }
  if (writing) return;
  const inList = $("list").contains(event.target), leap = Math.max(1, Math.floor($("list").clientHeight / ITEM) - 1);
  const steps = { j: 1, k: -1, ...(inList ? { ArrowDown: 1, ArrowUp: -1, PageDown: leap, PageUp: -leap, End: 1e9, Home: -1e9 } : {}) };
  if (event.key in steps) move(steps[event.key]);
  else if (event.key in KEYS && shown.length) KEYS[event.key]();
  else if (event.key === "/") KEYS["/"]();
  else if (event.key === "Enter" && inList) { $("detail").focus({ preventScroll: true }); $("detail").scrollIntoView({ block: "start" }); }
  else return;
  event.preventDefault();
}
function listen() {
  let typing = 0;
  for (const name of fields) $(name).addEventListener("input", () => { clearTimeout(typing); if (name === "q") typing = setTimeout(update, 120); else update(); });
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("reset").addEventListener("click", () => { clearFilters(); update(); $("list").focus(); });
  $("list").addEventListener("scroll", () => requestAnimationFrame(() => drawItems(false)), { passive: true });
  new ResizeObserver(() => drawItems(true)).observe($("list"));
  addEventListener("hashchange", () => { if (readAddress()) { update(); $("clones").scrollIntoView(); } });
  document.addEventListener("keydown", keys);
}
async function begin() {
  $("theme").hidden = false;
  setTheme();
  if (!("DecompressionStream" in globalThis)) {
    $("trouble").textContent = "This page needs a browser of 2023 or later, which can inflate the data in this file.";
    $("trouble").hidden = false;
    return;
  }
  if ($("browser")) {
    const given = await Promise.all(["files", "classes", "why"].map(inflateJson));
    [files, why] = [given[0], given[2]];
    classes = given[1].map(readClass);
    for (const one of classes) if (one.within) classes[one.within - 1].inside.push(one.number);
    $("browser").hidden = false;
    for (const name of fields) plainOf[name] = valueOf(name);
    state.pair = firstPair(classes[0]);
    const aimed = readAddress();
    listen();
    await update(true);
    if (aimed) $("clones").scrollIntoView();
  }
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}
begin();
