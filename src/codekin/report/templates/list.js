/* A long list: only what is in view is in the page. Others say what is `shown`, and make a `listItem`. */

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
function option(at, top, ...content) {
  const row = shown[at];
  const item = make("li", {
    role: "option", id: `option-${at}`, "aria-selected": String(row === state.row), "aria-posinset": at + 1, "aria-setsize": shown.length,
    on: { click: () => choose(row) },
  }, content);
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
function layOutList() {
  $("items").style.height = `${listHeight()}px`;
  showSelected();
  drawItems(true);
}
