/* The list of pairs: only what is in view stands in the page. */

const ITEM = 53; // pixels; the style sheet says the same
const TALLEST = 8e6; // pixels; browsers give up on elements much taller
const MARGIN = 6;
let drawn = { first: -1, last: -1 };

const listHeight = () => Math.min(TALLEST, shown.length * ITEM);
// The place in the list at the top edge, and the other way round; longer lists scroll faster.
function topPlace() {
  const list = $("list"), room = listHeight() - list.clientHeight;
  if (shown.length * ITEM <= TALLEST || room <= 0) return list.scrollTop / ITEM;
  return list.scrollTop / room * (shown.length - list.clientHeight / ITEM);
}
function scrollToPlace(top) {
  const list = $("list"), room = listHeight() - list.clientHeight;
  list.scrollTop = shown.length * ITEM <= TALLEST || room <= 0 ? top * ITEM : top / (shown.length - list.clientHeight / ITEM) * room;
}
function bars(row, now) {
  return make("span", { class: "bars", "aria-hidden": "true" }, measures.map((measure) => {
    const height = likeness(measure, row);
    const bar = make("i", { class: height !== height ? "none" : measure.name === now ? "now" : null });
    if (height === height) bar.style.height = `${share(height) * 100}%`;
    return bar;
  }));
}
function listItem(at, top) {
  const row = shown[at], by = sorting();
  const measure = byName.get(state.measure);
  const [text, name] = by ? [by.text(row), by.name] : measure ? [scoreText(measure, row), measure.name] : ["", ""];
  const item = make("li", {
    role: "option", id: `option-${at}`, "aria-selected": String(row === state.row), "aria-posinset": at + 1, "aria-setsize": shown.length,
    on: { click: () => choose(row) },
  },
    make("b", { title: ids[row] }, visible(ids[row])),
    make("span", { class: "value", title: name }, text),
    make("small", {}, whose(row).join(" · ")),
    bars(row, by && !by.second ? by.first.name : state.measure));
  item.style.top = `${top}px`;
  return item;
}
function drawItems(force) {
  const list = $("list"), top = topPlace();
  const first = Math.max(0, Math.floor(top) - MARGIN);
  const last = Math.min(shown.length, Math.ceil(top + list.clientHeight / ITEM) + MARGIN);
  if (!force && first === drawn.first && last === drawn.last && shown.length * ITEM <= TALLEST) return;
  drawn = { first, last };
  const nodes = [];
  for (let at = first; at < last; at++) nodes.push(listItem(at, list.scrollTop + (at - top) * ITEM));
  $("items").replaceChildren(...nodes);
  const at = whereShown[state.row];
  if (at >= first && at < last) list.setAttribute("aria-activedescendant", `option-${at}`);
  else list.removeAttribute("aria-activedescendant");
}
function showSelected() {
  const list = $("list"), at = whereShown[state.row];
  if (at === NONE || at === undefined) return;
  const top = topPlace(), room = list.clientHeight / ITEM;
  if (at < top) scrollToPlace(at);
  else if (at + 1 > top + room) scrollToPlace(at + 1 - room);
}
function drawList() {
  $("items").style.height = `${listHeight()}px`;
  showSelected();
  drawItems(true);
  const by = sorting();
  const name = by ? by.name : state.measure;
  const rows = shown.length === about.rows ? `${many(about.rows)} pair${about.rows === 1 ? "" : "s"}` : `${many(shown.length)} of ${many(about.rows)} pairs`;
  const looking = search.done < 1 ? `; searched ${Math.round(search.done * 100)} %` : "";
  $("found").textContent = `${rows}${looking}${name ? `; the numbers are ${name}` : ""}`;
}
