/* Judging pairs: answers by button or key, kept in the browser, exported and imported as JSON. */

const about = JSON.parse($("about").textContent);
const KEY = `codekin-judging-${about.fingerprint}`;
const CLASSES = ["clone", "other", "unsure"], SIGNS = ["✓", "✗", "?"];
const blank = () => ({ judge: "", at: 0, answers: Array(about.pairs).fill(null), notes: Array(about.pairs).fill("") });
let state = blank();
const view = { differences: true, names: false, wrap: false };
let frame = null; // of an export: the sample and its pairs
let kept = true; // whether the browser keeps answers
let exported = ""; // what was exported last

/* What the browser keeps. It may have been written by anything, so it is checked like an import. */
const isAnswer = (one) => one === null || [0, 1, 2].includes(one);
function isState(given) {
  return Boolean(given) && typeof given.judge === "string" && Number.isInteger(given.at) && given.at >= 0 && given.at < about.pairs
    && Array.isArray(given.answers) && given.answers.length === about.pairs && given.answers.every(isAnswer)
    && Array.isArray(given.notes) && given.notes.length === about.pairs && given.notes.every((one) => typeof one === "string");
}
const copyOf = ({ judge, at, answers, notes }) => ({ judge, at, answers: [...answers], notes: [...notes] });
function recall() {
  try {
    const given = JSON.parse(localStorage.getItem(KEY) || "null");
    if (isState(given)) state = copyOf(given);
  } catch { /* nothing is kept; keep() says so */ }
}
const hold = (event) => { if (changed() !== exported) event.preventDefault(); };
function keep() {
  try { localStorage.setItem(KEY, JSON.stringify(state)); kept = true; } catch { kept = false; }
  if (kept) removeEventListener("beforeunload", hold); else addEventListener("beforeunload", hold);
  $("trouble").hidden = kept;
  if (!kept) $("trouble").textContent = "This browser does not keep your answers: export them before you close the page.";
}
const changed = () => JSON.stringify([state.judge, state.answers, state.notes]);

/* Words about what happened, with a way back. */
function tell(text, { wrong = false, undo = null } = {}) {
  $("told").replaceChildren(make("span", { class: wrong ? "wrong" : null }, text));
  if (undo) $("told").append(" ", make("button", { type: "button", class: "tool", id: "undo", on: { click: () => { state = undo; keep(); drawAll(); tell("Undone."); $("save").focus(); } } }, "Undo"));
}
function afterChange() {
  keep();
  drawProgress();
  tell(kept ? "Saved in this browser." : "Not saved.", { wrong: !kept });
}

/* Drawing */
function drawProgress() {
  const counts = [0, 1, 2].map((answer) => state.answers.filter((one) => one === answer).length);
  const done = counts[0] + counts[1] + counts[2];
  $("progress").value = done;
  const all = done === about.pairs ? "All pairs are answered; export them. " : `${many(done)} of ${many(about.pairs)} answered. `;
  $("counts").textContent = `${all}${many(counts[0])} clone${counts[0] === 1 ? "" : "s"}, ${many(counts[1])} not, ${many(counts[2])} undecided`;
  $("open").disabled = done === about.pairs;
}
function drawCell(i) {
  const button = $("strip").children[i].firstChild, answer = state.answers[i];
  button.className = [answer === null ? "" : CLASSES[answer], state.notes[i].trim() ? "noted" : ""].join(" ").trim();
  button.textContent = `${i + 1}${answer === null ? "" : ` ${SIGNS[answer]}`}`;
  button.setAttribute("aria-label", `Pair ${i + 1}: ${answer === null ? "no answer" : about.answers[answer]}${state.notes[i].trim() ? ", with a note" : ""}`);
  if (i === state.at) button.setAttribute("aria-current", "true"); else button.removeAttribute("aria-current");
}
function drawAnswer() {
  const answer = state.answers[state.at];
  for (const button of document.querySelectorAll(".answer")) button.setAttribute("aria-pressed", String(Number(button.dataset.answer) === answer));
  $("now").textContent = answer === null ? "" : `${SIGNS[answer]} ${about.answers[answer]}`;
  $("now").className = `verdict-now ${answer === null ? "" : CLASSES[answer]}`;
  drawCell(state.at);
}
function drawViews() {
  for (const [name, on] of Object.entries(view)) $(name).setAttribute("aria-pressed", String(on));
  $("codes").classList.toggle("tinted", view.differences);
  $("codes").classList.toggle("wrap", view.wrap);
  for (const one of document.querySelectorAll(".pane .names")) one.hidden = !view.names;
}
function rowsOf(text, ink, ends) {
  const rows = [];
  let row = null, hunk = 0;
  const begin = () => {
    while (hunk < ends.length && ends[hunk + 1] <= rows.length) hunk += 2;
    row = make("span", { class: hunk < ends.length && ends[hunk] <= rows.length ? "row differs" : "row" });
    rows.push(row);
  };
  for (const [piece, , kind] of pieces(text, [], ink)) {
    if (!row) begin();
    if (piece === "\n") row = null; else row.append(...inked(piece, kind));
  }
  return rows;
}
function paneOf(pair, i) {
  const text = pair.texts[i], ink = spread(pair.inks[i]), ends = pair.common ? pair.differing[i] : [];
  const title = i ? "Second" : "First", lines = text ? text.replace(/\n$/, "").split("\n").length : 0;
  const end = upTo(text, MOST_LINES);
  const code = make("div", { class: "code", tabindex: "0", role: "region", "aria-label": `${title} text, ${pair.languages[i]}` }, rowsOf(text.slice(0, end), before(ink, end), ends));
  const rest = make("button", { type: "button", class: "small rest", on: { click: () => { code.replaceChildren(...rowsOf(text, ink, ends)); rest.remove(); code.focus(); } } }, `Show all ${many(lines)} lines`);
  return make("section", { class: "pane" },
    make("h3", {}, title, make("span", {}, `${pair.languages[i]} · ${many(lines)} line${lines === 1 ? "" : "s"}`)),
    make("p", { class: "names", hidden: !view.names }, pair.names[i].join(" · ")),
    text ? code : make("p", { class: "empty" }, "The text is empty."),
    end < text.length ? rest : null);
}
function commonText(pair) {
  if (!pair.differing[0].length) return "The texts are equal, blanks aside.";
  return pair.common ? `${many(pair.common)} line${pair.common === 1 ? "" : "s"} in common; those that differ are tinted.` : "No line in common.";
}
async function drawPair() {
  const at = state.at;
  $("place").textContent = `Pair ${many(at + 1)} of ${many(about.pairs)}`;
  $("back").disabled = at === 0;
  $("forth").disabled = at === about.pairs - 1;
  $("note").value = state.notes[at];
  drawAnswer();
  const pair = await itemOnPage("pairs", about.starts, at);
  if (at !== state.at) return; // the reader has moved on
  $("claim").hidden = pair.claim === null;
  $("claim").textContent = pair.claim === null ? "" : `The corpus says: ${pair.claim}`;
  $("common").textContent = commonText(pair);
  $("codes").replaceChildren(paneOf(pair, 0), paneOf(pair, 1));
  drawViews();
  if ($("pair").getBoundingClientRect().top < 0) $("pair").scrollIntoView();
  $("codes").dataset.at = String(at);
}
function drawAll() {
  $("judge").value = state.judge;
  for (let i = 0; i < about.pairs; i++) drawCell(i);
  drawProgress();
  return drawPair();
}

/* Moving and answering */
function go(i) {
  const at = Math.max(0, Math.min(about.pairs - 1, i)), last = state.at;
  if (at === last) return;
  state.at = at;
  drawCell(last);
  keep();
  drawPair();
}
function answer(value) {
  const at = state.at;
  state.answers[at] = value;
  drawAnswer();
  afterChange();
  if (value === null || at === about.pairs - 1) return;
  go(at + 1);
}
function goOpen() {
  const open = (i) => state.answers[i] === null;
  for (let step = 1; step <= about.pairs; step++) {
    const i = (state.at + step) % about.pairs;
    if (open(i)) return go(i);
  }
}
function toggle(name) {
  view[name] = !view[name];
  drawViews();
}

/* Export and import */
function exportText() {
  const said = frame.pairs.map((pair, i) => ({ ...pair, answer: state.answers[i] === null ? null : about.answers[state.answers[i]], note: state.notes[i] }));
  return `${JSON.stringify({ ...frame, judge: state.judge.trim(), pairs: said }, null, 1)}\n`;
}
function save() {
  const who = state.judge.trim().toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  const name = `judged-${about.fingerprint.slice(0, 8)}${who ? `-${who}` : ""}.json`;
  const address = URL.createObjectURL(new Blob([exportText()], { type: "application/json" }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
  exported = changed();
  const left = state.answers.filter((one) => one === null).length;
  tell(`Exported as ${name}${left ? `, ${many(left)} without an answer` : ""}.${who ? "" : " Without a name, the judge is called by the name of the file."}`);
}
function stateOf(text) {
  let given = null;
  try { given = JSON.parse(text); } catch { throw new Error("is not JSON"); }
  if (!given || given.kind !== frame.kind || given.format !== frame.format || !given.sample) throw new Error("holds no judgements");
  if (given.sample.fingerprint !== about.fingerprint) throw new Error("is of another sample");
  if (!Array.isArray(given.pairs) || given.pairs.length !== about.pairs || typeof given.judge !== "string") throw new Error("does not list the pairs of this page");
  const found = { ...blank(), judge: given.judge };
  given.pairs.forEach((pair, i) => {
    if (!pair || pair.id1 !== frame.pairs[i].id1 || pair.id2 !== frame.pairs[i].id2) throw new Error("does not list the pairs of this page");
    const said = pair.answer === null ? null : about.answers.indexOf(pair.answer);
    if (said === -1 || typeof pair.note !== "string") throw new Error(`has an answer to pair ${i + 1} that is not known here`);
    found.answers[i] = said;
    found.notes[i] = pair.note;
  });
  const open = found.answers.indexOf(null);
  found.at = open < 0 ? 0 : open;
  return found;
}
async function load(file) {
  let found = null;
  try { found = stateOf(await file.text()); } catch (error) { tell(`${file.name} ${error.message || "cannot be read"}; nothing was imported.`, { wrong: true }); return; }
  const earlier = copyOf(state);
  state = found;
  exported = changed();
  keep();
  await drawAll();
  tell(`Imported ${file.name}; it replaces what was here.`, { undo: earlier });
}
function startOver() {
  const earlier = copyOf(state);
  state = blank();
  keep();
  drawAll();
  tell("All answers and notes are removed.", { undo: earlier });
}

/* Keys, buttons and the beginning */
const KEYS = {
  y: () => answer(0), n: () => answer(1), u: () => answer(2), Backspace: () => answer(null),
  ArrowLeft: () => go(state.at - 1), ArrowRight: () => go(state.at + 1), k: () => go(state.at - 1), j: () => go(state.at + 1),
  o: goOpen, m: () => $("note").focus(), d: () => toggle("differences"), i: () => toggle("names"), w: () => toggle("wrap"),
  "?": () => $("help").showModal(),
};
function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
  if (event.target.matches("input, textarea")) {
    if (event.key === "Escape") { event.target.blur(); $("pair").focus({ preventScroll: true }); }
    return;
  }
  const pane = event.target.closest(".code"); // in which arrows scroll, if it is too wide
  if (event.key.startsWith("Arrow") && pane && pane.scrollWidth > pane.clientWidth) return;
  const run = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!run || event.repeat && "ynu".includes(event.key.toLowerCase())) return;
  event.preventDefault();
  run();
}
function listen() {
  document.addEventListener("keydown", keys);
  for (const button of document.querySelectorAll(".answer")) button.addEventListener("click", () => answer(Number(button.dataset.answer)));
  for (const name of Object.keys(view)) $(name).addEventListener("click", () => toggle(name));
  const clicks = { back: () => go(state.at - 1), forth: () => go(state.at + 1), open: goOpen, save, load: () => $("file").click(), clear: startOver, keys: () => $("help").showModal() };
  for (const [name, run] of Object.entries(clicks)) $(name).addEventListener("click", run);
  $("judge").addEventListener("input", () => { state.judge = $("judge").value; afterChange(); });
  $("note").addEventListener("input", () => { state.notes[state.at] = $("note").value; drawCell(state.at); afterChange(); });
  $("file").addEventListener("change", async () => { const [file] = $("file").files; if (file) await load(file); $("file").value = ""; });
  addEventListener("storage", (event) => { if (event.key === KEY && event.newValue) { recall(); drawAll(); tell("Changed in another window."); } });
}
async function begin() {
  if (!("DecompressionStream" in globalThis)) {
    $("trouble").textContent = "This page needs a browser of 2023 or later, which can inflate the data in this file.";
    $("trouble").hidden = false;
    return;
  }
  frame = await inflateJson("export");
  recall();
  exported = changed();
  $("strip").append(...state.answers.map((_, i) => make("li", {}, make("button", { type: "button", on: { click: () => go(i) } }))));
  $("work").hidden = $("theme").hidden = $("keys").hidden = false;
  setTheme();
  listen();
  keep();
  await drawAll();
  if (kept) tell(state.answers.some((one) => one !== null) ? "Earlier answers were found in this browser." : "");
  document.documentElement.dataset.ready = "1";
}
begin();
