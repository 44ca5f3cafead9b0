/* A pair: what is told of it beside the map, and its two texts side by side. */

let texts = null, why = null; // read when they are asked for

function directions(file, other) {
  if (about.symmetric || valueOf(file, other) === valueOf(other, file)) return null;
  return make("p", { class: "ways" }, "as candidate and reference ", make("b", {}, shown(valueOf(file, other))), ", the other way round ", make("b", {}, shown(valueOf(other, file))));
}
function boundsText(file, other) {
  const [low, high] = boundsOf(file, other);
  return low === high ? null : make("p", { class: "loose" }, `not exact within the budget: from ${shown(low)} to ${shown(high)}`);
}
const named = (file, groups) => {
  const group = groups.find((one) => one.files.includes(file));
  return make("li", {}, make("b", {}, names[file]), make("small", {}, ` ${about.languages[file]}${group ? `, group ${group.number}` : ""}`));
};
const command = (file, other) => `${about.command} ${about.paths[file]} ${about.paths[other]}`;

function tellPair(cursor, groups, open) {
  const told = $("readout");
  if (!cursor) {
    told.replaceChildren(make("p", { class: "hint" }, "Point at a cell to see its pair, and click to read both texts. ", make("span", { class: "keyed" }, "By keyboard: ", make("kbd", {}, "Tab"), " into the map, arrows, ", make("kbd", {}, "Enter"), ", ", make("kbd", {}, "+"), " ", make("kbd", {}, "−"), ".")));
    return;
  }
  const [file, other] = cursor.map((at) => order[at]);
  if (file === other) {
    told.replaceChildren(make("ul", { class: "both" }, named(file, groups)), make("p", { class: "hint" }, "A file with itself."));
    return;
  }
  const value = valueOf(file, other);
  told.replaceChildren(...[
    make("p", { class: "score" }, make("i", { "--cell": cellColour(value) }), make("b", {}, shown(value)), isCopy(file, other) ? make("span", {}, "the same text") : null),
    boundsText(file, other),
    make("ul", { class: "both" }, named(file, groups), named(other, groups)),
    directions(file, other),
    make("p", {}, make("button", { type: "button", class: "open", on: { click: () => open(file, other) } }, "Side by side")),
  ].filter(Boolean));
}
async function openPair(file, other) {
  texts ||= await inflateJson("texts");
  why ||= await inflateJson("why");
  // Pairs are explained in one direction; a symmetric measure says the same of the other.
  const turned = !why[`${file}-${other}`] && why[`${other}-${file}`];
  if (turned) [file, other] = [other, file];
  const told = why[`${file}-${other}`];
  const dialog = $("pair");
  const line = make("code", { class: "command" }, command(file, other));
  dialog.replaceChildren(...[
    make("header", {},
      make("h2", { id: "pair-title" }, make("b", {}, shown(valueOf(file, other))), ` ${about.measure}`),
      make("button", { type: "button", class: "small", autofocus: true, on: { click: () => dialog.close() } }, "Close")),
    boundsText(file, other), directions(file, other),
    isCopy(file, other) ? make("p", {}, "The texts are the same, character by character.") : null,
    ...panes(file, other, told),
    make("p", { class: "command-line" }, line, make("button", { type: "button", class: "copy", on: { click: (event) => copy(line.textContent, event.target) } }, "Copy")),
  ].filter(Boolean));
  dialog.showModal();
  dialog.scrollTop = 0;
}
function panes(file, other, told) {
  const both = [texts[file], texts[other]];
  if (both.includes(null)) return [make("p", { class: "hint" }, "The texts are not in this page; the command below compares them.")];
  const spoken = told && told.measures.signature ? told.measures : null;
  const marks = spoken ? spoken.spans.map(spread) : lineSpans(...both);
  const inks = spoken && spoken.ink ? spoken.ink : told ? [told.ink[0], told.ink[1][0]] : [[], []];
  const sides = both.map((text, i) => ({ text: spoken && spoken.texts ? spoken.texts[i] : text, spans: marks[i], ink: spread(inks[i]), expanded: Boolean(spoken && spoken.texts) }));
  return [
    make("p", { class: "why" }, spoken ? spoken.summary : "Shaded are the lines that both have in the same order, whatever their indent."),
    spoken && spoken.details.length ? make("dl", { class: "details" }, spoken.details.map(([name, text]) => [make("dt", {}, name), make("dd", {}, text)])) : null,
    make("div", { class: "codes" }, [file, other].map((one, i) => pane(names[one], about.languages[one], sides[i]))),
  ];
}
async function copy(text, button) {
  try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; }
  catch { getSelection().selectAllChildren(button.previousSibling); button.textContent = "Selected"; }
}
