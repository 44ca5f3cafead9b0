/* Code as rows of text, with what was found in the other text shaded. */

// Gap, length and kind, one after the other, become start, end and kind.
function spread(coded) {
  const out = new Array(coded.length);
  let at = 0;
  for (let i = 0; i < coded.length; i += 3) {
    out[i] = at + coded[i];
    at = out[i + 1] = out[i] + coded[i + 1];
    out[i + 2] = coded[i + 2];
  }
  return out;
}
// Cuts a text at every edge of a span, an ignored stretch or an inked token, and at line ends.
function pieces(text, spans, ink, ignored = []) {
  const edges = new Set([0, text.length]);
  for (const some of [spans, ignored, ink]) for (let i = 0; i < some.length; i += 3) edges.add(some[i]).add(some[i + 1]);
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) edges.add(i).add(i + 1);
  const sorted = [...edges].sort((a, b) => a - b);
  const out = [];
  let s = 0, g = 0, t = 0;
  for (let i = 0; i + 1 < sorted.length; i++) {
    const start = sorted[i], end = sorted[i + 1];
    while (s < spans.length && spans[s + 1] <= start) s += 3;
    while (g < ignored.length && ignored[g + 1] <= start) g += 3;
    while (t < ink.length && ink[t + 1] <= start) t += 3;
    const compared = !(g < ignored.length && ignored[g] <= start);
    const level = s < spans.length && spans[s] <= start ? spans[s + 2] : compared ? 0 : null;
    out.push([text.slice(start, end), level, t < ink.length && ink[t] <= start ? ink[t + 2] : ""]);
  }
  return out;
}
const inked = (piece, kind) => kind ? [make("span", { class: kind }, visible(piece))] : visible(piece);
// What was compared and not found is underlined, but not the blanks around it.
function missed(piece, kind) {
  const middle = piece.trim();
  if (!middle) return visible(piece);
  const from = piece.indexOf(middle);
  return [visible(piece.slice(0, from)), make("span", { class: "u" }, inked(middle, kind)), visible(piece.slice(from + middle.length))].flat();
}
function codeRows(text, spans, ink, ignored) {
  const list = [];
  let row = make("span", { class: "row" }), blank = true;
  for (let [piece, level, kind] of pieces(text, spans, ink, ignored)) {
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
    if (level > 0) row.append(make("mark", { "--level": level, title: level < 1 ? `found to ${percent(level)}` : null }, inked(piece, kind)));
    else row.append(...(level === null ? inked : missed)(piece, kind));
  }
  if (row.firstChild) list.push(row);
  return list;
}
const MOST_LINES = 1500; // that are shown at once; a browser takes seconds over ten thousands
function upTo(text, lines) {
  let end = -1;
  for (let i = 0; i < lines; i++) { end = text.indexOf("\n", end + 1); if (end < 0) return text.length; }
  return end + 1;
}
// The spans that begin before the end of what is shown, cut there.
function before(spans, end) {
  const kept = [];
  for (let i = 0; i < spans.length && spans[i] < end; i += 3) kept.push(spans[i], Math.min(spans[i + 1], end), spans[i + 2]);
  return kept;
}
function codeBody(role, language, text, spans, ink, ignored) {
  if (!text) return make("p", { class: "empty" }, "The text is empty.");
  const end = upTo(text, MOST_LINES);
  const code = make("div", { class: "code", tabindex: "0", role: "region", "aria-label": `${role}${language ? `, ${language}` : ""}` }, codeRows(text.slice(0, end), before(spans, end), before(ink, end), before(ignored, end)));
  if (end === text.length) return code;
  const rest = make("button", { type: "button", class: "small rest", on: { click: () => { code.replaceChildren(...codeRows(text, spans, ink, ignored)); rest.remove(); code.focus(); } } }, `Show all ${many(text.split("\n").length)} lines`);
  return [code, rest];
}
function pane(role, language, { text, spans, ignored = [], ink, expanded }) {
  const body = codeBody(role, language, text, spans, ink, ignored);
  let covered = 0, all = 0;
  for (const [piece, level] of pieces(text, spans, [], ignored)) {
    const signs = piece.replace(/\s/g, "").length;
    if (level !== null) all += signs;
    if (level) covered += signs;
  }
  return make("section", { class: "pane" },
    make("h4", {}, role, make("span", {}, [language, expanded ? "macros expanded" : "", all ? `${percent(covered / all)} found` : ""].filter(Boolean).join(" · "))), body);
}

/* A plain line diff, for pairs whose explanations are not in the file. */
const MOST_CELLS = 4e6; // beyond, lines count as found wherever they stand
function lineSpans(first, second) {
  const cut = (text) => {
    const lines = [];
    for (let start = 0; start < text.length;) {
      let end = text.indexOf("\n", start);
      if (end < 0) end = text.length;
      lines.push({ start, end, words: text.slice(start, end).trim() });
      start = end + 1;
    }
    return lines;
  };
  const a = cut(first), b = cut(second);
  const [inA, inB] = commonLines(a.map((line) => line.words), b.map((line) => line.words));
  const spans = (lines, common) => lines.flatMap((line, i) => common[i] && line.words ? [line.start, line.end, 1] : []);
  return [spans(a, inA), spans(b, inB)];
}
// The lines that both have in the same order: as many as possible, or as heavy as possible.
function commonLines(a, b, weight = () => 1) {
  const inA = new Uint8Array(a.length), inB = new Uint8Array(b.length);
  let head = 0, tailA = a.length, tailB = b.length;
  while (head < tailA && head < tailB && a[head] === b[head]) inA[head] = inB[head++] = 1;
  while (tailA > head && tailB > head && a[tailA - 1] === b[tailB - 1]) inA[--tailA] = inB[--tailB] = 1;
  const rows = tailA - head, width = tailB - head + 1;
  if (rows * width > MOST_CELLS) {
    const [ours, theirs] = [new Set(a), new Set(b)];
    a.forEach((line, i) => { if (theirs.has(line)) inA[i] = 1; });
    b.forEach((line, i) => { if (ours.has(line)) inB[i] = 1; });
    return [inA, inB];
  }
  const longest = new Uint32Array((rows + 1) * width); // common lines from here to the end
  for (let i = rows - 1; i >= 0; i--) for (let j = width - 2; j >= 0; j--) {
    longest[i * width + j] = a[head + i] === b[head + j] ? longest[(i + 1) * width + j + 1] + weight(head + i)
      : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
  }
  for (let i = 0, j = 0; i < rows && j < width - 1;) {
    if (a[head + i] === b[head + j]) inA[head + i++] = inB[head + j++] = 1;
    else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) i++;
    else j++;
  }
  return [inA, inB];
}
