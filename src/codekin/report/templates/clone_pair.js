/* Two places of a clone: their statements aligned, what differs in them, and why they are clones. */

const WORD = /[\p{L}\p{N}_$@]+|[^\s\p{L}\p{N}_$@]/gu;
const LETTER = /[\p{L}\p{N}_$@]/u;
const SIMILAR = .5; // of the tokens of two statements, for one to be a changed form of the other
const MOST_GAP = 20000; // pairs of statements without a partner that are compared
const RENAMES = 8; // names with a colour
const EVEN = .015; // how exact a score is, since the scan counts tokens in its own way

/* A place as lines, tokens and statements. */
function codeOfPlace([text, coded, gaps], from, count) {
  const starts = [0];
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) starts.push(i + 1);
  const begin = starts[from] ?? text.length, end = (starts[from + count] ?? text.length + 1) - 1;
  const all = spread(coded), ink = [];
  for (let i = 0; i < all.length; i += 3) {
    const start = Math.max(all[i], begin), stop = Math.min(all[i + 1], end);
    if (start < stop) ink.push(start - begin, stop - begin, all[i + 2]);
  }
  const code = { text: text.slice(begin, Math.max(begin, end)), ink, tokens: [], statements: [] };
  code.lines = code.text.split("\n");
  code.indent = commonIndent(code.lines);
  readTokens(code);
  cutStatements(code, gaps, begin);
  return code;
}
function commonIndent(lines) {
  let indent = null;
  for (const line of lines) {
    if (!line.trim()) continue;
    const own = /^[ \t]*/.exec(line)[0];
    if (indent === null) indent = own;
    while (!own.startsWith(indent)) indent = indent.slice(0, -1);
  }
  return indent || "";
}
function readTokens(code) {
  const { text, ink, tokens } = code;
  let at = 0, line = 0, next = text.indexOf("\n");
  const add = (start, end, kind) => {
    while (next >= 0 && start > next) { line++; next = text.indexOf("\n", next + 1); }
    const word = text.slice(start, end);
    tokens.push({ start, end, kind, word, line, blind: kind === "v" || kind === "s" || kind === "n" ? `\u0000${kind}` : word, other: null });
  };
  const words = (until) => { for (const one of text.slice(at, until).matchAll(WORD)) add(at + one.index, at + one.index + one[0].length, LETTER.test(one[0]) ? "v" : "o"); };
  for (let i = 0; i < ink.length; i += 3) {
    words(ink[i]);
    if (ink[i + 2] !== "c") add(ink[i], ink[i + 1], ink[i + 2]);
    at = ink[i + 1];
  }
  words(text.length);
}
function cutStatements(code, gaps, begin) {
  const starts = [];
  let at = -begin;
  for (const gap of gaps) { at += gap; if (at >= 0 && at < code.text.length) starts.push(at); }
  let next = 0;
  for (const token of code.tokens) {
    const begins = next < starts.length && token.start >= starts[next];
    while (next < starts.length && token.start >= starts[next]) next++;
    if (begins || !code.statements.length) code.statements.push({ tokens: [], line: token.line });
    code.statements.at(-1).tokens.push(token);
  }
  for (const one of code.statements) one.key = one.tokens.map((token) => token.blind).join("\u0001");
}

/* Pairs of equal items in order, as heavy as possible. Texts that are too long for that are cut at items that both have once. */
function commonPairs(a, b, weight = () => 1) {
  const pairs = [];
  const match = (i, endI, j, endJ) => {
    while (i < endI && j < endJ && a[i] === b[j]) pairs.push([i++, j++]);
    let tail = 0;
    while (endI - tail > i && endJ - tail > j && a[endI - tail - 1] === b[endJ - tail - 1]) tail++;
    const [lastI, lastJ] = [endI - tail, endJ - tail];
    if ((lastI - i) * (lastJ - j + 1) <= MOST_CELLS) {
      const [inA, inB] = commonLines(a.slice(i, lastI), b.slice(j, lastJ), (k) => weight(i + k));
      for (let k = 0, l = 0; k < inA.length; k++) {
        if (!inA[k]) continue;
        while (!inB[l]) l++;
        pairs.push([i + k, j + l++]);
      }
    } else {
      const anchors = uniqueInBoth(a, b, i, lastI, j, lastJ);
      for (const [k, l] of anchors) { match(i, k, j, l); pairs.push([k, l]); [i, j] = [k + 1, l + 1]; }
      if (anchors.length) match(i, lastI, j, lastJ);
    }
    for (let k = 0; k < tail; k++) pairs.push([lastI + k, lastJ + k]);
  };
  match(0, a.length, 0, b.length);
  return pairs;
}
// The most items, in the order of both, that each side has once.
function uniqueInBoth(a, b, i0, i1, j0, j1) {
  const once = (list, from, to) => {
    const places = new Map();
    for (let i = from; i < to; i++) places.set(list[i], places.has(list[i]) ? -1 : i);
    return places;
  };
  const theirs = once(b, j0, j1), ends = [], found = [];
  for (const [item, i] of once(a, i0, i1)) {
    const j = theirs.get(item) ?? -1;
    if (i < 0 || j < 0) continue;
    let low = 0, high = ends.length; // the longest rising sequence that ends here
    while (low < high) { const middle = (low + high) >> 1; if (ends[middle].j < j) low = middle + 1; else high = middle; }
    ends[low] = { i, j, before: low ? ends[low - 1] : null };
  }
  for (let one = ends.at(-1); one; one = one.before) found.push([one.i, one.j]);
  return found.reverse();
}

/* Statements with their partners: the same but for names and values, or similar ones between those. */
function matchStatements(a, b) {
  const pairs = [];
  let lastI = 0, lastJ = 0;
  const between = (i, j) => { similarPairs(a, b, lastI, i, lastJ, j, pairs); lastI = i + 1; lastJ = j + 1; };
  for (const [i, j] of commonPairs(a.map((one) => one.key), b.map((one) => one.key), (i) => a[i].tokens.length)) {
    between(i, j);
    pairs.push([i, j, true]);
  }
  between(a.length, b.length);
  return pairs;
}
function similarPairs(a, b, i0, i1, j0, j1, pairs) {
  const rows = i1 - i0, width = j1 - j0 + 1;
  if (rows <= 0 || width <= 1 || rows * width > MOST_GAP) return;
  const best = new Float64Array((rows + 1) * width), gain = new Float64Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) for (let j = width - 2; j >= 0; j--) {
    const alike = similarity(a[i0 + i].tokens, b[j0 + j].tokens);
    gain[i * width + j] = alike >= SIMILAR ? alike * (a[i0 + i].tokens.length + b[j0 + j].tokens.length) : 0;
    best[i * width + j] = Math.max(best[(i + 1) * width + j], best[i * width + j + 1], gain[i * width + j] ? best[(i + 1) * width + j + 1] + gain[i * width + j] : 0);
  }
  for (let i = 0, j = 0; i < rows && j < width - 1;) {
    const here = best[i * width + j];
    if (gain[i * width + j] && here === best[(i + 1) * width + j + 1] + gain[i * width + j]) pairs.push([i0 + i++, j0 + j++, false]);
    else if (here === best[(i + 1) * width + j]) i++;
    else j++;
  }
}
function similarity(a, b) {
  const left = new Map();
  for (const one of a) left.set(one.blind, (left.get(one.blind) || 0) + 1);
  let common = 0;
  for (const one of b) { const n = left.get(one.blind) || 0; if (n) { common++; left.set(one.blind, n - 1); } }
  return 2 * common / (a.length + b.length);
}

/* What two places have in common. */
function comparePlaces(a, b) {
  const pairs = matchStatements(a.statements, b.statements);
  const meet = (one, other) => { one.other = other; other.other = one; };
  let same = 0, changed = 0, held = 0;
  for (const [i, j, equal] of pairs) {
    const mine = a.statements[i].tokens, theirs = b.statements[j].tokens;
    if (equal) {
      same++;
      held += mine.length;
      mine.forEach((one, k) => meet(one, theirs[k]));
    } else {
      changed++;
      for (const [k, l] of commonPairs(mine.map((one) => one.blind), theirs.map((one) => one.blind))) meet(mine[k], theirs[l]);
    }
  }
  const swaps = new Map();
  for (const one of a.tokens) {
    if (!one.other || one.other.word === one.word) continue;
    const key = `${one.kind}\u0000${one.word}\u0000${one.other.word}`;
    const swap = swaps.get(key) || { kind: one.kind, from: one.word, to: one.other.word, times: 0 };
    swap.times++;
    swaps.set(key, swap);
    one.swap = one.other.swap = swap;
  }
  const all = [...swaps.values()].sort((x, y) => y.times - x.times);
  const renames = all.filter((one) => one.kind === "v");
  renames.forEach((one, i) => { one.colour = i < RENAMES ? i : -1; });
  return {
    a, b, pairs, same, changed, renames, values: all.filter((one) => one.kind !== "v"),
    share: a.tokens.length + b.tokens.length ? 2 * held / (a.tokens.length + b.tokens.length) : 1,
    onlyA: a.statements.length - same - changed, onlyB: b.statements.length - same - changed,
    equal: !all.length && same === a.statements.length && same === b.statements.length,
  };
}

/* Rows of lines beside each other: where matched statements begin, lines meet. */
function rowsOfPair({ a, b, pairs }) {
  const anchors = [];
  let lastI = -1, lastJ = -1;
  for (const [i, j] of pairs) {
    const left = a.statements[i].line, right = b.statements[j].line;
    if (left > lastI && right > lastJ) anchors.push([lastI = left, lastJ = right]);
  }
  anchors.push([a.lines.length, b.lines.length]);
  const rows = [];
  let i = 0, j = 0;
  const beside = (toI, toJ) => {
    while (i < toI || j < toJ) rows.push([i < toI ? i++ : -1, j < toJ ? j++ : -1]);
  };
  for (const [toI, toJ] of anchors) {
    const words = (side, lines, from, to) => lines.slice(from, to).map((line, k) => line.trim() || `\u0000${side}${k}`);
    const [fromI, fromJ] = [i, j];
    for (const [k, l] of commonPairs(words("a", a.lines, i, toI), words("b", b.lines, j, toJ))) {
      beside(fromI + k, fromJ + l);
      rows.push([i++, j++]);
    }
    beside(toI, toJ);
    if (toI < a.lines.length) rows.push([i++, j++]);
  }
  return rows;
}
// Lines with the same text beside each other are the same, such as a bracket after statements that differ.
function meetEqualLines(rows, a, b) {
  const [left, right] = [a, b].map((code) => {
    const byLine = code.lines.map(() => []);
    for (const one of code.tokens) byLine[one.line].push(one);
    return byLine;
  });
  for (const [i, j] of rows) {
    if (i < 0 || j < 0) continue;
    const [mine, theirs] = [left[i], right[j]];
    if (mine.length !== theirs.length || a.lines[i].trim() !== b.lines[j].trim()) continue;
    if ([...mine, ...theirs].every((one) => !one.other)) mine.forEach((one, k) => { one.other = theirs[k]; theirs[k].other = one; });
  }
}
function marksOf(code, side) {
  const marks = [];
  for (const one of code.tokens) {
    if (!one.other) marks.push(one.start, one.end, { class: "only" });
    else if (one.swap && one.kind === "v") marks.push(one.start, one.end, { class: one.swap.colour >= 0 ? "renamed" : "renamed plain-rename", "--of": one.swap.colour >= 0 ? `var(--system-${one.swap.colour})` : null, title: side ? `${one.word}: ${one.swap.from} on the left` : `${one.word}: ${one.swap.to} on the right` });
    else if (one.swap) marks.push(one.start, one.end, { class: "value" });
  }
  // What is between two tokens that are only here is only here, too.
  const joined = [];
  for (let i = 0; i < marks.length; i += 3) {
    const last = joined.length - 3;
    if (marks[i + 2].class === "only" && last >= 0 && joined[last + 2].class === "only" && /^[ \t]*$/.test(code.text.slice(joined[last + 1], marks[i]))) joined[last + 1] = marks[i + 1];
    else joined.push(marks[i], marks[i + 1], marks[i + 2]);
  }
  return joined;
}
// The nodes of each line, and what is different in it: "", "renamed" or "changed".
function drawnLines(code, side) {
  const lines = [{ nodes: [], state: "" }];
  let fresh = true;
  for (let [piece, mark, kind] of pieces(code.text, marksOf(code, side), code.ink)) {
    if (piece === "\n") { lines.push({ nodes: [], state: "" }); fresh = true; continue; }
    if (fresh && code.indent && piece.startsWith(code.indent)) piece = piece.slice(code.indent.length);
    fresh = false;
    const line = lines.at(-1), nodes = inked(piece, kind);
    line.nodes.push(...(mark ? [make("span", mark, nodes)] : nodes));
    if (mark) line.state = mark.class === "only" ? "changed" : line.state || "renamed";
  }
  return lines;
}

/* Why they are clones, in words. */
const several = (n, one, more = `${one}s`) => `${many(n)} ${n === 1 ? one : more}`;
const MEANING = {
  T1: "The code is the same; only layout and comments may differ.",
  T2: "The statements are the same, in the same order; only names, numbers or strings differ.",
  T3: "Most statements are the same, names and values aside; others were changed, added or removed.",
  T4: "Less than half of the code is in statements that match, but the operations and the flow of data between them are much alike: it was rewritten.",
};
function statementWords({ a, b, same, changed, onlyA, onlyB, share }) {
  const [left, right] = [a.statements.length, b.statements.length], words = [];
  if (same === left && same === right) words.push(same === 1 ? "The one statement matches." : `All ${many(same)} statements match in order.`);
  else words.push(`${several(same, "statement matches", "statements match")} in order, of ${many(left)} on the left and ${many(right)} on the right: ${percent(share)} of the code.`);
  if (changed) words.push(`${several(changed, "statement was", "statements were")} changed.`);
  const only = [onlyA ? `${several(onlyA, "statement is", "statements are")} only on the left` : "", onlyB ? `${several(onlyB, "statement is", "statements are")} only on the right` : ""].filter(Boolean);
  if (only.length) words.push(`${only.join(", ")}.`);
  return words.join(" ");
}
function nameWords({ renames, values }) {
  const words = [], targets = new Map();
  for (const one of renames) targets.set(one.from, (targets.get(one.from) || 0) + 1);
  const varied = [...targets.values()].filter((n) => n > 1).length;
  if (renames.length) words.push(`${several(targets.size, "name was", "names were")} replaced, ${varied ? `${many(varied)} of them by more than one other name` : targets.size === 1 ? "always by the same one" : "each always by the same one"}.`);
  if (values.length) words.push(`${several(values.length, "number or string differs", "numbers or strings differ")}${values.length <= 3 ? `: ${values.map((one) => `${short(one.from)} → ${short(one.to)}`).join(", ")}` : ""}.`);
  return words.join(" ");
}
const short = (word) => word.length > 24 ? `${word.slice(0, 23)}…` : word;
function scoreWords(finding, { share }, fast) {
  if (finding.score >= 1) return "Score 1: every token has its counterpart, names and values aside.";
  const score = `Score ${finding.score.toFixed(2)}`;
  if (fast || finding.score <= share + EVEN) return `${score}: the share of the code in statements that match.`;
  return `${score}: how alike their operations and the flow of data between them are (kin), since that is more than the ${percent(share)} of the code in statements that match.`;
}
// What kin calls its features, in words: where data comes from and goes to, and what decides.
function featureWords(name) {
  const code = (text) => make("code", {}, text.replace(/^`(.*)`$/, "$1").replaceAll(/\bcall:([^\s,]+)/g, "$1()"));
  for (const [sign, words] of [[" ← ", "from"], [" → ", "used by"], [" if ", "depending on"]]) {
    const at = name.startsWith("`") ? -1 : name.indexOf(sign);
    if (at > 0) return [code(name.slice(0, at)), ` ${words} `, code(name.slice(at + sign.length))];
  }
  return [code(name)];
}
