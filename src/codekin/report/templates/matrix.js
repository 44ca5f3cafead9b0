/* The page: threshold, search, zoom, pointer and keys; tables that sort. */

let cursor = null; // places of a row and a column
let found = []; // files that match what is searched for
let groups = [], threshold = about.threshold;

const redraw = () => { drawMap(groups, threshold); drawOver(cursor, found); };
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

/* Threshold and groups */
function setThreshold(value, first) {
  threshold = value;
  groups = groupsAt(threshold);
  const alone = count - groups.reduce((sum, group) => sum + group.files.length, 0);
  const told = `${groups.length ? `${many(groups.length)} group${groups.length === 1 ? "" : "s"}` : "no group"}${alone ? `, ${many(alone)} alone` : ""}`;
  $("cut").textContent = `${threshold.toFixed(3)}: ${told}`;
  if (!first) {
    $("groups-told").textContent = `${told}: joined at a mean similarity of ${threshold.toFixed(3)} or more.`;
    redraw();
  }
  listGroups();
}
function listGroups() {
  $("group-list").replaceChildren(...groups.map((group) => {
    const others = group.files.filter((file) => file !== group.medoid).sort((a, b) => meanOf(group.medoid, b) - meanOf(group.medoid, a) || a - b);
    return make("li", { class: `of-${(group.number - 1) % about.colours}` },
      make("h3", {}, make("i", {}, String(group.number)), make("span", {}, names[group.medoid])),
      make("p", { class: "figures" }, make("span", {}, `${many(group.files.length)} files`), make("span", {}, "similarity ", make("b", {}, group.similarity.toFixed(3))),
        make("button", { type: "button", class: "small", "aria-label": `Show group ${group.number} in the heatmap`, on: { click: () => showGroup(group) } }, "Show")),
      make("p", { class: "others" }, others.map((file) => names[file]).join(", ")));
  }));
}
function showGroup(group) {
  const size = group.last - group.first + 1, span = Math.min(count, Math.max(size + 2, Math.min(count, 6)));
  look(span, (group.first + group.last + 1) / 2, (group.first + group.last + 1) / 2);
  setCursor(null);
  $("heatmap").scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}

/* What part of the matrix is seen */
function look(span, row, column) {
  sight.span = clamp(Math.round(span), Math.min(4, count), count);
  sight.row = clamp(Math.round(row - sight.span / 2), 0, count - sight.span);
  sight.column = clamp(Math.round(column - sight.span / 2), 0, count - sight.span);
  $("farther").disabled = $("whole").disabled = sight.span === count;
  $("closer").disabled = sight.span <= Math.min(4, count);
  redraw();
}
function zoom(factor) {
  const [row, column] = cursor || [sight.row + sight.span / 2, sight.column + sight.span / 2];
  look(sight.span * factor, row + .5, column + .5);
}
function intoSight() {
  const [row, column] = cursor;
  const moved = [clamp(sight.row, row - sight.span + 1, row), clamp(sight.column, column - sight.span + 1, column)];
  if (moved[0] === sight.row && moved[1] === sight.column) return drawOver(cursor, found);
  [sight.row, sight.column] = moved;
  redraw();
}

/* Pointer and keys */
function setCursor(at) {
  cursor = at;
  tellPair(cursor, groups, openPair);
  if (cursor) intoSight(); else drawOver(null, found);
}
function point(event) {
  const at = cellAt(event);
  if (!at || (cursor && at[0] === cursor[0] && at[1] === cursor[1])) return;
  $("readout").setAttribute("aria-live", "off");
  setCursor(at);
}
function press(event) {
  const at = cellAt(event);
  if (!at) return;
  point(event);
  // A finger covers the cell: the first touch tells the pair, and the button opens it.
  if (event.pointerType !== "touch" && at[0] !== at[1]) openPair(order[at[0]], order[at[1]]);
}
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-10, 0], PageDown: [10, 0] };
function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const now = cursor || [sight.row, Math.min(count - 1, sight.column)];
  $("readout").setAttribute("aria-live", "polite");
  if (STEPS[event.key]) setCursor(cursor ? now.map((x, i) => clamp(x + STEPS[event.key][i], 0, count - 1)) : now);
  else if (event.key === "Home") setCursor([now[0], 0]);
  else if (event.key === "End") setCursor([now[0], count - 1]);
  else if (event.key === "+" || event.key === "=") zoom(.5);
  else if (event.key === "-") zoom(2);
  else if (event.key === "0") look(count, 0, 0);
  else if (event.key === "Escape") setCursor(null);
  else if (event.key === "Enter" && cursor && cursor[0] !== cursor[1]) openPair(order[cursor[0]], order[cursor[1]]);
  else return;
  event.preventDefault();
}
function search() {
  const words = $("find").value.trim().toLowerCase();
  found = words ? names.flatMap((name, file) => name.toLowerCase().includes(words) ? [file] : []) : [];
  $("found").textContent = words ? `${many(found.length)} found` : "";
  for (const row of $("pair-table").tBodies[0].rows) row.hidden = Boolean(words) && !row.dataset.pair.split("-").some((file) => found.includes(Number(file)));
  drawOver(cursor, found);
}
// Enter goes to what is most like the file that was found.
function goToFound(event) {
  if (event.key !== "Enter" || !found.length) return;
  let best = -1;
  for (let file = 0; file < count; file++) if (file !== found[0] && (best < 0 || meanOf(found[0], file) > meanOf(found[0], best))) best = file;
  $("plot").focus();
  setCursor([place[found[0]], place[best]]);
}

/* The table of pairs: a row opens its pair, a head sorts. */
function readyTable() {
  const table = $("pair-table"), body = table.tBodies[0];
  for (const row of body.rows) {
    const [file, other] = row.dataset.pair.split("-").map(Number);
    const cell = row.cells[0], score = cell.textContent;
    cell.replaceChildren(make("button", { type: "button", class: "link", "aria-label": `${score}: ${names[file]} and ${names[other]} side by side` }, score));
    row.addEventListener("click", () => { setCursor([place[file], place[other]]); openPair(file, other); });
  }
  const heads = [0, 2, 3].map((i) => table.tHead.rows[0].cells[i]);
  const text = new Intl.Collator("en", { numeric: true });
  heads.forEach((head) => {
    const column = head.cellIndex;
    const sort = () => {
      const down = head.getAttribute("aria-sort") === "descending" || (column && head.getAttribute("aria-sort") !== "ascending") ? "ascending" : "descending";
      for (const one of heads) one.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down);
      const value = (row) => row.cells[column].textContent;
      const rows = [...body.rows].sort((a, b) => (column ? text.compare(value(a), value(b)) : value(a) - value(b)) * (down === "ascending" ? 1 : -1));
      body.replaceChildren(...rows);
    };
    head.replaceChildren(make("button", { type: "button", class: "link", on: { click: sort } }, head.textContent));
  });
}

async function start() {
  await load();
  $("controls").hidden = $("map").hidden = $("theme").hidden = false;
  const slider = $("threshold"), low = joins.length ? joins[joins.length - 1].similarity : 0;
  Object.assign(slider, { min: Math.floor(low * 100) / 100, max: 1, step: "any" });
  slider.value = threshold;
  setThreshold(threshold, true);
  whenThemed = (now) => { setColours(now); redraw(); };
  setTheme();
  look(count, count / 2, count / 2);
  tellPair(null, groups, openPair);
  readyTable();
  slider.addEventListener("input", () => setThreshold(Number(slider.value)));
  $("find").addEventListener("input", search);
  $("find").addEventListener("keydown", goToFound);
  $("closer").addEventListener("click", () => zoom(.5));
  $("farther").addEventListener("click", () => zoom(2));
  $("whole").addEventListener("click", () => look(count, 0, 0));
  $("plot").addEventListener("pointermove", point);
  $("plot").addEventListener("click", press);
  $("plot").addEventListener("keydown", key);
  $("pair").addEventListener("click", (event) => { if (event.target === $("pair")) $("pair").close(); });
  new ResizeObserver(redraw).observe($("plot"));
  document.documentElement.dataset.ready = "1";
}
start();
