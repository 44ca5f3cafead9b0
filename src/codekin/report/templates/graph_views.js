/* One function at a time, or all of them; what depends on what, what runs after what, or the syntax; and a search. The
   pictures and the code were escaped when the page was made, and enter it as markup only when they are asked for. */

const about = JSON.parse($("about").textContent);
const listing = listings[0], list = document.querySelector(".functions"), notesOfView = document.querySelector(".view-notes");
const stageButtons = [...document.querySelectorAll("[data-stage]")];
const MOST_FOUND = 60;
const whole = { svg: canvas.innerHTML, places, lines: [...listing.children].map((one) => one.firstChild.innerHTML), notes: [] };
let current = 0, stage = "dependence";
let texts = null; // of the lines, once they are searched or shown

async function linesOf() {
  texts ??= inflateJson("lines");
  const { shown, text } = await texts;
  return { shown: shown.length ? shown : whole.lines, text };
}
function showLines(lines, first) {
  listing.replaceChildren(...lines.map((line) => {
    const code = make("code");
    code.innerHTML = line;
    return make("li", {}, code);
  }));
  listing.style.setProperty("--before", first - 1);
  listing.scrollTop = 0;
}
const functionAt = (view) => about.functions[view - 1];

/* Show a view: 0 is the whole program, others are functions. */
async function show(view, how, sought = 0) {
  const item = await itemOnPage("views", about.starts, view);
  const chosen = how !== "dependence" && item[how] ? how : "dependence";
  const drawn = chosen === "dependence" && !view ? whole : item[chosen];
  const overview = about.large && view === 0;
  if (!overview && view !== current) {
    const [first, last] = view ? functionAt(view).slice(2) : [about.from, Infinity];
    const { shown } = await linesOf();
    showLines(shown.slice(Math.max(0, first - about.from), last - about.from + 1), Math.max(first, about.from));
  }
  [current, stage] = [view, chosen];
  canvas.innerHTML = drawn.svg;
  listing.hidden = overview;
  list.hidden = !overview;
  notesOfView.replaceChildren(...drawn.notes.map((note) => make("p", {}, note)));
  whenPressed = overview ? (number) => { open(about.functions.findIndex(([own]) => own === number) + 1, stage); return true; } : null;
  document.querySelector(".drawn").classList.toggle("flow", stage === "flow");
  document.querySelector(".drawn").classList.toggle("tree", stage === "tree");
  document.querySelector(".drawn").classList.toggle("overview", overview);
  for (const button of stageButtons) button.setAttribute("aria-pressed", String(button.dataset.stage === stage));
  stageButtons[0].textContent = overview ? "Calls" : "Dependence";
  disableStages(item);
  $("pick").value = String(view);
  mount(drawn.places);
  seek(sought);
}
function disableStages(item) {
  for (const button of stageButtons.slice(1)) button.disabled = !item?.[button.dataset.stage];
}
/* Mark a line, and light up what begins on it. */
function seek(line) {
  for (const one of listing.querySelectorAll(".sought")) one.classList.remove("sought");
  const first = Number(getComputedStyle(listing).getPropertyValue("--before") || 0);
  const row = line ? listing.children[line - 1 - first] : null;
  if (!row) return;
  row.classList.add("sought");
  scrollWithin(listing, row);
  const spans = [...row.querySelectorAll("span")], from = Number(spans[0]?.dataset.a), to = Number(spans.at(-1)?.dataset.e);
  const here = places.flatMap((pair, node) => pair[0] && pair[0][0] >= from && pair[0][1] <= to ? [node] : []);
  if (here.length) { pin(here); intoView(nodes.get(here[0])); }
}
/* The address says what is shown, so that it can be kept and gone back to. */
function open(view, how = stage, line = 0) {
  const to = view || line || how !== "dependence" ? `#view-${view}-${how}${line ? `-${line}` : ""}` : "#whole";
  if (location.hash === to) show(view, how, line);
  else location.hash = to;
}
function follow() {
  const found = /^#view-(\d+)-(dependence|flow|tree)(?:-(\d+))?$/.exec(location.hash);
  const view = found ? Number(found[1]) : 0;
  if (found && view <= about.functions.length) return show(view, found[2], Number(found[3] ?? 0));
  if (current || stage !== "dependence" || location.hash === "#whole") return show(0, "dependence");
}

/* The innermost function around a line. */
function functionOf(line) {
  let best = 0;
  about.functions.forEach(([, , first, last], i) => {
    if (first <= line && line <= last && (!best || last - first <= functionAt(best)[3] - functionAt(best)[2])) best = i + 1;
  });
  return best;
}
const entry = (line, text, go) => make("li", {}, make("button", { type: "button", on: { click: go } }, make("small", {}, `line ${line}`), make("code", {}, text)));
let searches = 0;
async function search() {
  const wanted = $("find").value.trim().toLowerCase(), own = ++searches;
  if (!wanted) { $("results").hidden = true; $("found").textContent = ""; return; }
  $("found").textContent = "searched";
  const { text } = await linesOf();
  if (own !== searches) return;
  const found = [];
  about.functions.forEach(([, name, first], i) => { if (name.toLowerCase().includes(wanted)) found.push([first, name, () => open(i + 1)]); });
  const functions = found.length;
  text.forEach((line, i) => { if (line.toLowerCase().includes(wanted)) found.push([i + about.from, line.trim(), () => open(about.large || current ? functionOf(i + about.from) : 0, stage, i + about.from)]); });
  $("found").textContent = `${many(functions)} function${functions === 1 ? "" : "s"}, ${many(found.length - functions)} line${found.length - functions === 1 ? "" : "s"}${found.length > MOST_FOUND ? `, the first ${MOST_FOUND} are listed` : ""}`;
  $("results").replaceChildren(...found.slice(0, MOST_FOUND).map((one) => entry(...one)));
  $("results").hidden = !found.length;
}

$("pick").append(make("option", { value: "0" }, about.large ? "All functions: calls" : "All functions"));
about.functions.forEach(([, name, first], i) => {
  $("pick").append(make("option", { value: String(i + 1) }, `${name} · line ${first}`));
  if (about.large) list.append(entry(first, name, () => open(i + 1)));
});
$("pick").addEventListener("change", () => open(Number($("pick").value)));
$("find").addEventListener("input", search);
for (const button of stageButtons) button.addEventListener("click", () => open(current, button.dataset.stage));
if (about.large) { whenPressed = (number) => { open(about.functions.findIndex(([own]) => own === number) + 1); return true; }; disableStages(); }
addEventListener("hashchange", follow);
document.querySelector(".finder").hidden = false;
if (location.hash) follow();
else if (about.first === "flow") show(0, "flow");
else itemOnPage("views", about.starts, 0).then(disableStages);
