"use strict";
(() => {
  const { measures, rows } = JSON.parse(document.getElementById("data").textContent);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byName = new Map(measures.map((measure) => [measure.name, measure]));
  const $ = (id) => document.getElementById(id);
  const fields = ["q", "group", "language", "sort", "order"];
  const state = { pair: "", measure: "", theme: "", wrap: "" };
  const MOST = 1000; // items in the list; more would make every key press slow
  let shown = rows;

  // Everything that comes from the data enters the page as text, never as markup.
  function make(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name === "on") for (const [event, run] of Object.entries(value)) node.addEventListener(event, run);
      else if (name.startsWith("--")) node.style.setProperty(name, value);
      else node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
    return node;
  }

  /* Numbers */
  const number = (x) => x === null ? "–" : Number.isInteger(x) ? String(x) : x.toFixed(Math.abs(x) < 10 ? 3 : 1);
  function scoreText(measure, score) {
    if (!score || score.value === null) return "–";
    return measure.distance ? number(score.value) : score.value.toFixed(3);
  }
  function likeness(measure, score) {
    if (!score || score.value === null) return null;
    return measure.distance ? 1 - score.value / measure.high : score.value;
  }

  /* Filters and order */
  function apply() {
    const q = $("q").value.trim().toLowerCase();
    const group = $("group").value, language = $("language").value;
    const measure = byName.get($("sort").value);
    shown = rows.filter((row) =>
      (!group || row.group === group) &&
      (!language || row.language === language || row.other === language) &&
      (!q || [row.id, row.note, row.candidate.text, row.reference.text].some((text) => text.toLowerCase().includes(q))));
    if (measure) {
      const sign = $("order").value === "down" ? -1 : 1;
      const key = (row) => likeness(measure, row.scores[measure.name]);
      shown = shown.map((row, i) => ({ row, i, key: key(row) })).sort((a, b) => {
        if (a.key === null || b.key === null) return (a.key === null) - (b.key === null) || a.i - b.i;
        return sign * (a.key - b.key) || a.i - b.i;
      }).map((item) => item.row);
    }
    $("order").disabled = !measure;
    if (!shown.some((row) => row.id === state.pair) && shown.length) state.pair = shown[0].id;
  }

  /* The list */
  const titleOf = (name) => {
    const option = [...$("language").options].find((one) => one.value === name);
    return option ? option.textContent : name;
  };
  const spoken = (row) => row.language === row.other ? titleOf(row.language) : `${titleOf(row.other)} → ${titleOf(row.language)}`;
  function bars(row, now) {
    const node = make("span", { class: "bars", "aria-hidden": "true" });
    for (const measure of measures) {
      const height = likeness(measure, row.scores[measure.name]);
      const bar = make("i", { class: height === null ? "none" : measure.name === now ? "now" : null });
      if (height !== null) bar.style.height = `${Math.max(0, Math.min(1, height)) * 100}%`;
      node.append(bar);
    }
    return node;
  }
  function drawList() {
    const name = $("sort").value || state.measure;
    const measure = byName.get(name);
    $("list").replaceChildren(...shown.slice(0, MOST).map((row, i) => make("li", {
      role: "option", id: `option-${i}`, "data-id": row.id, "aria-selected": String(row.id === state.pair),
      on: { click: () => choose(row.id) },
    },
      make("b", { title: row.id }, row.id),
      make("span", { class: "value", title: name }, scoreText(measure, row.scores[name])),
      make("small", {}, `${row.group} · ${spoken(row)}`),
      bars(row, name))));
    const what = $("sort").value || !measure ? "" : `; the numbers are ${name}`;
    const cut = shown.length > MOST ? `, the first ${MOST} listed` : "";
    $("found").textContent = `${shown.length === rows.length ? "" : `${shown.length} of `}${rows.length} pairs${cut}${what}`;
    markSelected();
  }
  function markSelected() {
    const list = $("list");
    let current = null;
    for (const item of list.children) {
      const here = item.dataset.id === state.pair;
      item.setAttribute("aria-selected", String(here));
      if (here) current = item;
    }
    if (!current) return list.removeAttribute("aria-activedescendant");
    list.setAttribute("aria-activedescendant", current.id);
    // Not scrollIntoView, which would move the page as well.
    if (current.offsetTop < list.scrollTop) list.scrollTop = current.offsetTop;
    const foot = current.offsetTop + current.offsetHeight - list.clientHeight;
    if (foot > list.scrollTop) list.scrollTop = foot;
  }

  /* Code */
  const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}/gu;
  function visible(text) {
    const parts = [];
    let from = 0;
    for (const found of text.matchAll(HIDDEN)) {
      const code = found[0].charCodeAt(0);
      const name = code < 32 ? String.fromCharCode(0x2400 + code) : code === 127 ? "\u2421" : code.toString(16).toUpperCase().padStart(4, "0");
      parts.push(text.slice(from, found.index), make("span", { class: "ctl", title: "U+" + code.toString(16).toUpperCase().padStart(4, "0") }, name));
      from = found.index + found[0].length;
    }
    parts.push(text.slice(from));
    return parts;
  }
  // Cuts a text at every edge of a span or an inked token, and at line ends.
  function pieces(text, spans, ink) {
    const edges = new Set([0, text.length]);
    for (let i = 0; i < spans.length; i += 3) edges.add(spans[i]).add(spans[i + 1]);
    for (let i = 0; i < ink.length; i += 3) edges.add(ink[i]).add(ink[i + 1]);
    for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) edges.add(i).add(i + 1);
    const sorted = [...edges].sort((a, b) => a - b);
    const out = [];
    let s = 0, t = 0;
    for (let i = 0; i + 1 < sorted.length; i++) {
      const start = sorted[i], end = sorted[i + 1];
      while (s < spans.length && spans[s + 1] <= start) s += 3;
      while (t < ink.length && ink[t + 1] <= start) t += 3;
      const level = s < spans.length && spans[s] <= start ? spans[s + 2] : 0;
      out.push([text.slice(start, end), level, t < ink.length && ink[t] <= start ? ink[t + 2] : ""]);
    }
    return out;
  }
  const inked = (piece, kind) => kind ? [make("span", { class: kind }, visible(piece))] : visible(piece);
  // What was not found is underlined, but not the blanks around it.
  function missed(piece, kind) {
    const middle = piece.trim();
    if (!middle) return visible(piece);
    const from = piece.indexOf(middle);
    return [visible(piece.slice(0, from)), make("span", { class: "u" }, inked(middle, kind)), visible(piece.slice(from + middle.length))].flat();
  }
  function codeRows(source, spans) {
    const list = [];
    let row = make("span", { class: "row" }), blank = true;
    const text = source.text;
    for (let [piece, level, kind] of pieces(text, spans, source.ink)) {
      if (piece === "\n") {
        list.push(row);
        row = make("span", { class: "row" });
        blank = true;
        continue;
      }
      const indent = blank ? /^\s*/.exec(piece)[0] : "";
      if (indent) row.append(...visible(indent));
      if (indent === piece) continue;
      piece = piece.slice(indent.length);
      blank = false;
      if (level > 0) row.append(make("mark", { "--level": level, title: level < 1 ? `found to ${Math.round(level * 100)} %` : null }, inked(piece, kind)));
      else row.append(...missed(piece, kind));
    }
    if (row.firstChild) list.push(row);
    return list;
  }
  function pane(role, language, source, spans, expanded) {
    const body = source.text ? make("div", { class: "code", tabindex: "0", role: "region", "aria-label": `${role}, ${language}` }, codeRows(source, spans))
      : make("p", { class: "empty" }, "The text is empty.");
    let covered = 0;
    for (let i = 0; i < spans.length; i += 3) covered += source.text.slice(spans[i], spans[i + 1]).replace(/\s/g, "").length;
    const all = source.text.replace(/\s/g, "").length;
    return make("section", { class: "pane" },
      make("h4", {}, role, make("span", {}, `${language}${expanded ? ", macros expanded" : ""}${all ? ` · ${Math.round(100 * covered / all)} % found` : ""}`)), body);
  }

  /* One pair under one measure */
  function drawDetail() {
    const row = byId.get(state.pair);
    const detail = $("detail");
    if (!row || !shown.length) return detail.replaceChildren(make("p", { class: "empty" }, "No pair fits the filters."));
    const score = row.scores[state.measure];
    detail.replaceChildren(
      make("h3", {}, row.id),
      make("div", { class: "meta" }, `${row.group} · ${spoken(row)}`),
      row.note ? make("p", { class: "note" }, row.note) : "",
      pills(row),
      make("div", { id: "panel", role: "tabpanel", "aria-label": state.measure },
        ...(score ? panel(row, score) : [make("p", { class: "verdict" }, `${state.measure} gave no score: ${row.failures[state.measure] || "it was not asked for"}`), codes(row, {}, [[], []])])));
  }
  function pills(row) {
    return make("div", { class: "pills", role: "tablist", "aria-label": "Measures", on: { keydown: pillKeys } },
      measures.map((measure) => {
        const score = row.scores[measure.name], on = measure.name === state.measure;
        return make("button", {
          type: "button", role: "tab", "aria-selected": String(on), tabindex: on ? "0" : "-1", "aria-controls": "panel",
          title: measure.summary, "--fill": String(Math.max(0, Math.min(1, likeness(measure, score) || 0))),
          on: { click: () => { state.measure = measure.name; update(); focusPill(); } },
        }, measure.name + (measure.distance ? " ↓" : ""), make("span", {}, scoreText(measure, score)));
      }));
  }
  const focusPill = () => $("detail").querySelector('[role="tab"][aria-selected="true"]').focus();
  function pillKeys(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) { event.preventDefault(); turn(step); focusPill(); }
  }
  // Runs such as precision_1 ... precision_4 are one fact.
  function joinParts(parts) {
    const joined = new Map();
    for (const [name, value] of parts) {
      const run = /^(.*?)_?\d+$/.exec(name);
      const key = (run ? run[1] : name).replaceAll("_", " ");
      if (!joined.has(key)) joined.set(key, []);
      joined.get(key).push(number(value));
    }
    return [...joined];
  }
  function panel(row, score) {
    const measure = byName.get(state.measure);
    const share = likeness(measure, score);
    const sub = [measure.distance ? "a distance; 0 is equal" : ""];
    if (score.bounds) sub.push(`not exact: from ${number(score.bounds[0])} to ${number(score.bounds[1])}`);
    return [
      make("div", { class: "verdict" },
        make("div", { class: "big" }, scoreText(measure, score),
          make("span", { class: "gauge", "--fill": String(Math.max(0, Math.min(1, share || 0))), "aria-hidden": "true" }),
          make("small", {}, sub.filter(Boolean).join("; "))),
        make("div", { class: "why" },
          make("p", {}, score.summary),
          make("dl", { class: "parts" }, joinParts(score.parts).map(([name, values]) => make("div", {}, make("dt", {}, name), make("dd", {}, values.join(" · "))))),
          score.details.length ? make("dl", { class: "details" }, score.details.map(([name, text]) => [make("dt", {}, name), make("dd", {}, visible(text))])) : null)),
      codes(row, score, score.spans),
      under(score),
      make("p", { class: "signature" }, make("code", {}, score.signature),
        make("button", { class: "copy", type: "button", on: { click: copy(score.signature) } }, "Copy")),
    ];
  }
  function codes(row, score, spans) {
    return make("div", { class: `codes${state.wrap ? " wrap" : ""}` },
      pane("Candidate", titleOf(row.language), score.candidate || row.candidate, spans[0], score.candidate),
      pane("Reference", titleOf(row.other), score.reference || row.reference, spans[1], score.reference));
  }
  function under(score) {
    const levels = [...new Set(score.spans.flatMap((spans) => spans.filter((_, i) => i % 3 === 2)))].sort((a, b) => a - b);
    const swatches = levels.length > 6 ? [levels[0], levels[levels.length - 1]] : levels;
    return make("div", { class: "under" },
      make("span", { class: "legend" }, "found in the other text:",
        swatches.map((level) => [make("i", { "--level": level }), `${Math.round(level * 100)} %`]), swatches.length ? "" : "nothing",
        make("span", { class: "u" }, "not found")),
      make("label", {}, make("input", { type: "checkbox", checked: Boolean(state.wrap), on: { change: (event) => { state.wrap = event.target.checked ? "1" : ""; update(); } } }), "wrap long lines"));
  }
  const copy = (text) => async (event) => {
    const button = event.target;
    try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; }
    catch { getSelection().selectAllChildren(button.previousSibling); button.textContent = "Selected"; }
  };

  /* State, address and keys */
  function remember() {
    const words = new URLSearchParams();
    for (const [name, value] of Object.entries(state)) if (value) words.set(name, value);
    for (const name of fields) if ($(name).value && !(name === "order" && (!$("sort").value || $("order").value === "up"))) words.set(name, $(name).value);
    try { history.replaceState(null, "", "#" + words); } catch { /* some viewers forbid it; the report works without */ }
  }
  function update(quiet) {
    apply();
    drawList();
    drawDetail();
    if (!quiet) remember();
  }
  function choose(id) {
    state.pair = id;
    markSelected();
    drawDetail();
    remember();
  }
  function move(step) {
    if (!shown.length) return;
    const at = shown.findIndex((row) => row.id === state.pair);
    choose(shown[Math.max(0, Math.min(shown.length - 1, MOST - 1, at + step))].id);
  }
  function turn(step) {
    const at = measures.findIndex((measure) => measure.name === state.measure);
    state.measure = measures[(at + step + measures.length) % measures.length].name;
    update();
  }
  function readAddress() {
    const words = new URLSearchParams(location.hash.slice(1));
    if (![...words.values()].some(Boolean)) return false;
    for (const name of fields) if (words.has(name) && [...($(name).options || [words])].some((one) => one === words || one.value === words.get(name))) $(name).value = words.get(name);
    if (words.has("group") && !words.has("pair")) state.pair = "";
    if (byId.has(words.get("pair"))) state.pair = words.get("pair");
    if (byName.has(words.get("measure"))) state.measure = words.get("measure");
    if (["light", "dark"].includes(words.get("theme"))) setTheme(words.get("theme"));
    if (words.has("wrap")) state.wrap = words.get("wrap") ? "1" : "";
    return ["pair", "group", "sort", "q", "language"].some((name) => words.has(name));
  }
  const dark = matchMedia("(prefers-color-scheme: dark)");
  function setTheme(theme) {
    state.theme = theme;
    if (theme) document.documentElement.dataset.theme = theme;
    const now = theme || (dark.matches ? "dark" : "light");
    $("theme").textContent = now === "dark" ? "Light" : "Dark";
    $("theme").setAttribute("aria-label", `Switch to the ${now === "dark" ? "light" : "dark"} theme`);
  }
  function keys(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const writing = event.target.matches("input, select, textarea");
    if (event.key === "Escape" && writing) return $("list").focus();
    if (writing) return;
    const inList = $("list").contains(event.target);
    const steps = { j: 1, k: -1, ...(inList ? { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8, End: 1e9, Home: -1e9 } : {}) };
    if (event.key in steps) move(steps[event.key]);
    else if (event.key === "h" || event.key === "l") turn(event.key === "l" ? 1 : -1);
    else if (event.key === "/") $("q").focus();
    else if (event.key === "Enter" && inList) { $("detail").focus({ preventScroll: true }); $("detail").scrollIntoView({ block: "start" }); }
    else return;
    event.preventDefault();
  }

  // The page opens with the pair that the measures disagree on most; an equal one would tell nothing.
  function mostDisputed() {
    const graded = measures.filter((measure) => !measure.distance && rows.some((row) => (row.scores[measure.name]?.value ?? 0) % 1));
    const spread = (row) => {
      const values = graded.map((measure) => row.scores[measure.name]?.value ?? null).filter((value) => value !== null);
      return values.length ? Math.max(...values) - Math.min(...values) : 0;
    };
    return rows.reduce((best, row) => best && spread(best) >= spread(row) ? best : row, null);
  }

  $("browser").hidden = $("theme").hidden = false;
  state.measure = (measures.find((measure) => measure.name === "bleu") || measures[0] || { name: "" }).name;
  state.pair = mostDisputed()?.id ?? "";
  setTheme("");
  const aimed = readAddress();
  for (const name of fields) $(name).addEventListener("input", () => update());
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("theme").addEventListener("click", () => { setTheme($("theme").textContent.toLowerCase()); remember(); });
  addEventListener("hashchange", () => { if (readAddress()) { update(true); $("pairs").scrollIntoView(); } });
  document.addEventListener("keydown", keys);
  update(true);
  if (aimed) $("pairs").scrollIntoView();
})();
