/* One pair under one measure. */

let opened = null; // what was read of the row that is open

async function drawDetail() {
  const detail = $("detail");
  if (!shown.length) { opened = null; return detail.replaceChildren(make("p", { class: "empty" }, search.done < 1 ? "Searching …" : "No row fits the filters.")); }
  const wanted = state.row;
  if (!opened || opened.row !== wanted) {
    const read = await readRow(wanted);
    if (state.row !== wanted || !shown.length) return; // another one was chosen meanwhile
    opened = read;
  }
  const row = opened.row;
  detail.replaceChildren(
    make("h3", {}, ids[row]),
    make("div", { class: "meta" }, facts(opened)),
    ...notes(opened),
    pills(row),
    make("div", { id: "panel", role: "tabpanel", "aria-label": state.measure }, panel(opened)),
    ...siblings(row));
}
const isFact = (name, value) => name !== "note" && String(value).length <= 40 && !String(value).trim().includes("\n");
function facts({ row, fields }) {
  const words = whose(row);
  if (columns.outcome && columns.outcome[row] === columns.outcome[row]) words.push(`outcome ${number(columns.outcome[row])}`);
  if (chanceText(row)) words.push(`${chanceText(row)} [${columns.p_low[row].toFixed(2)}, ${columns.p_high[row].toFixed(2)}]`);
  for (const [name, value] of Object.entries(fields)) if (isFact(name, value)) words.push(`${name}: ${value}`);
  return visible(words.join(" · "));
}
function notes({ fields }) {
  return Object.entries(fields).filter(([name, value]) => !isFact(name, value))
    .map(([name, value]) => make("p", { class: "note" }, name === "note" ? "" : make("b", {}, `${name}: `, String(value).trim().includes("\n") ? make("br", {}) : ""), String(value).trimEnd()));
}
function pills(row) {
  return make("div", { class: "pills", role: "tablist", "aria-label": "Measures", on: { keydown: pillKeys } },
    measures.map((measure) => {
      const on = measure.name === state.measure;
      return make("button", {
        type: "button", role: "tab", "aria-selected": String(on), tabindex: on ? "0" : "-1", "aria-controls": "panel",
        title: measure.summary, "--fill": String(share(likeness(measure, row))),
        on: { click: () => { setMeasure(measure.name); focusPill(); } },
      }, measure.name + (measure.distance ? " ↓" : ""), make("span", {}, scoreText(measure, row)));
    }));
}
const focusPill = () => $("detail").querySelector('[role="tab"][aria-selected="true"]')?.focus();
function pillKeys(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step) { event.preventDefault(); turn(step); focusPill(); }
}
// Runs such as precision_1 ... precision_4 are one fact.
function partsOf(read, measure) {
  const joined = new Map();
  about.parts.forEach(([label, name], i) => {
    const value = label === measure.name ? read.part(i) : null;
    if (value === null) return;
    const run = /^(.*?)_?\d+$/.exec(name);
    const key = (run ? run[1] : name).replaceAll("_", " ");
    if (!joined.has(key)) joined.set(key, []);
    joined.get(key).push(number(value));
  });
  return [...joined];
}
function panel(read) {
  const { row, told } = read, measure = byName.get(state.measure);
  if (!measure) return [texts(read, null)];
  if (told.problem) return [make("p", { class: "verdict trouble" }, "This row could not be scored. ", told.problem), texts(read, null)];
  const why = read.why ? read.why.measures[measure.name] : null;
  const value = measure.values[row];
  if (value !== value) {
    const reason = told.problems && told.problems[measure.name];
    const asked = measure.name in runOf(row).signatures;
    return [make("p", { class: "verdict trouble" }, asked ? `${measure.name} gave no score: ${reason || "no reason was kept"}` : `${measure.name} was not asked for in this run.`), texts(read, null)];
  }
  const sub = [measure.distance ? "a distance; 0 is equal" : ""];
  const bounds = told.bounds && told.bounds[measure.name];
  if (bounds) sub.push(`not exact: from ${number(bounds[0])} to ${number(bounds[1])}`);
  if (why && why.now !== undefined) sub.push(`this version of codekin gives ${number(why.now)}`);
  const signature = (why && why.signature) || runOf(row).signatures[measure.name] || "";
  return [
    make("div", { class: "verdict" },
      make("div", { class: "big" }, scoreText(measure, row),
        make("span", { class: "gauge", "--fill": String(share(likeness(measure, row))), "aria-hidden": "true" }),
        make("small", {}, sub.filter(Boolean).join("; "))),
      make("div", { class: "why" },
        make("p", {}, why ? why.summary : measure.summary),
        make("dl", { class: "parts" }, partsOf(read, measure).map(([name, values]) => make("div", {}, make("dt", {}, name), make("dd", {}, values.join(" · "))))),
        why && why.details.length ? make("dl", { class: "details" }, why.details.map(([name, text]) => [make("dt", {}, name), make("dd", {}, text)])) : null)),
    texts(read, why),
    why && why.picture ? graphs(why.picture) : null,
    make("p", { class: "signature" }, make("code", {}, signature),
      make("button", { class: "copy", type: "button", on: { click: copy(signature) } }, "Copy")),
  ];
}

/* Both graphs over each other; what one alone has is marked. */
function graphs(picture) {
  const drawn = new DOMParser().parseFromString(picture, "image/svg+xml").documentElement;
  return make("details", { class: "graphs", open: true }, make("summary", {}, "Both semantic graphs in one picture"),
    make("div", { class: "canvas", tabindex: "0", role: "region", "aria-label": "Both semantic graphs" }, document.importNode(drawn, true)));
}

/* The two texts. The candidate can be held against each reference and against the origin. */
function texts(read, why) {
  const { row, candidate, references, origin } = read;
  if (candidate === null || !references) {
    const reason = runOf(row).texts ? "There is no candidate to show, since it could not be read." : "This run was made without texts (codekin score --no-texts), so there is no code to show.";
    return make("p", { class: "empty boxed" }, reason);
  }
  const best = why ? why.reference : 0;
  const choices = references.map((text, i) => ({ key: String(i), name: references.length > 1 ? `Reference ${i + 1}` : "Reference", text, language: columns.other[row] }));
  if (origin !== null) choices.push({ key: "origin", name: "Origin", text: origin, language: columns.language[row] });
  const edits = read.why && read.why.edits ? read.why.edits[best] : null;
  if (edits) choices.push({ key: "edits", name: "Both edits of the origin" });
  const first = edits && byName.get(state.measure)?.origin ? "edits" : String(best);
  const other = choices.find((one) => one.key === state.against) || choices.find((one) => one.key === first);
  if (other.key === "edits") return [against(choices, other, why ? String(best) : null, first), editsView(edits, Boolean(why && why.signature))];
  const told = why && why.spans && other.key === String(best) && why.signature;
  const ink = read.why ? read.why.ink : null;
  const sides = told
    ? why.spans.map((coded, i) => ({ text: why.texts ? why.texts[i] : [candidate, other.text][i], spans: spread(coded), ignored: why.ignored ? spread(why.ignored[i]) : [], expanded: Boolean(why.texts), ink: why.ink ? spread(why.ink[i]) : null }))
    : lineSpans(candidate, other.text).map((spans, i) => ({ text: [candidate, other.text][i], spans, ink: null }));
  sides[0].ink ||= ink ? spread(ink[0]) : [];
  sides[1].ink ||= ink ? spread(other.key === "origin" ? ink[2] : ink[1][Number(other.key)]) : [];
  return [
    choices.length > 1 ? against(choices, other, why ? String(best) : null, first) : null,
    told ? null : plainWord(read, why, other),
    make("div", { class: `codes${state.wrap ? " wrap" : ""}` },
      pane("Candidate", languageTitle(columns.language[row]), sides[0]),
      pane(other.name, languageTitle(other.language), sides[1])),
    under(sides),
  ];
}
function against(choices, now, best, first) {
  return make("div", { class: "against", role: "group", "aria-label": "Held against" }, "against ",
    choices.map((one) => make("button", {
      type: "button", "aria-pressed": String(one === now), title: one.key === best ? "the likest one, which the explanation is about" : null,
      on: { click: () => { state.against = one.key === first ? "" : one.key; drawDetail().then(() => $("detail").querySelector('.against [aria-pressed="true"]')?.focus()); remember(); } },
    }, one.name, one.key === best && choices.filter((each) => each.text !== undefined && each.key !== "origin").length > 1 ? make("span", {}, " likest") : null)));
}
function plainWord({ row, why: read }, why, other) {
  const words = [make("b", {}, "A plain line diff"), `, not what ${state.measure || "a measure"} saw. `];
  if (read && why && other.key !== String(why.reference)) words.push("The explanation is about the likest reference.");
  else if (!read) words.push(`Explanations are in this file for ${many(explained.length)} of ${many(about.rows)} rows; for this one: `, make("code", {}, `codekin report RUN --rows '${ids[row].replaceAll("'", "'\\''")}'`));
  return make("p", { class: "plain-word" }, words);
}
function under(sides) {
  const levels = [...new Set(sides.flatMap(({ spans }) => spans.filter((_, i) => i % 3 === 2)))].sort((a, b) => a - b);
  const swatches = levels.length > 6 ? [levels[0], levels[levels.length - 1]] : levels;
  return make("div", { class: "under" },
    make("span", { class: "key" }, "found in the other text:",
      swatches.map((level) => make("span", { class: "level" }, make("i", { "--level": level }), percent(level))), swatches.length ? "" : "nothing",
      make("span", { class: "u" }, "not found"),
      sides.some(({ ignored }) => ignored && ignored.length) ? make("span", {}, "unmarked: not compared") : null),
    make("label", {}, make("input", { type: "checkbox", checked: Boolean(state.wrap), on: { change: (event) => { state.wrap = event.target.checked ? "1" : ""; drawDetail(); remember(); } } }), "wrap long lines"));
}
const copy = (text) => async (event) => {
  const button = event.target;
  try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; }
  catch { getSelection().selectAllChildren(button.previousSibling); button.textContent = "Selected"; }
};

/* The same references in other rows, as when several systems did one task. */
const MOST_SIBLINGS = 12;
const LONGEST_ID = 24;
function elided(text) {
  const signs = [...text], half = Math.floor((LONGEST_ID - 1) / 2);
  return signs.length <= LONGEST_ID ? text : `${signs.slice(0, half).join("")}…${signs.slice(-half).join("")}`;
}
function siblings(row) {
  const task = columns.task[row], measure = byName.get(state.measure);
  if (task < 0 || !measure || systems.length < 2) return [];
  const rows = [];
  for (let other = 0; other < about.rows && rows.length <= MOST_SIBLINGS; other++) if (columns.task[other] === task && other !== row) rows.push(other);
  if (!rows.length) return [];
  const more = rows.length > MOST_SIBLINGS;
  // A system alone tells the row where it has one of them, and that has the name of the open one.
  const rowsOf = new Map();
  for (const other of [row, ...rows]) rowsOf.set(columns.system[other], (rowsOf.get(columns.system[other]) || 0) + 1);
  const told = (other) => ids[other] !== ids[row] || rowsOf.get(columns.system[other]) > 1;
  return [make("div", { class: "siblings" }, make("h4", {}, "The same reference, elsewhere"),
    make("ul", {}, rows.slice(0, MOST_SIBLINGS).map((other) => make("li", {}, make("button", {
      type: "button", title: `${systemOf(other).name} · ${ids[other]}`, on: { click: () => visit(other) },
    }, make("b", {}, systemOf(other).name), told(other) ? make("code", {}, elided(ids[other])) : null, make("span", {}, scoreText(measure, other))))), more ? make("li", {}, "…") : null))];
}
