/* Code and graph point at each other, the code of one program or of two; kinds of edges, and what one side alone has,
   switch on and off. The rest works without. A page with several pictures mounts the one that is shown. */

const canvas = document.querySelector(".canvas");
const listings = [...document.querySelectorAll(".code")];
const whose = { candidate: "only in the candidate", reference: "only in the reference" };
let picture, places, nodes, edges, pieces, wide, high;
let pinned = null, scale = 1;
let whenPressed = null; // called with a node's number instead of pinning it

function mount(placesOfNodes) {
  picture = canvas.querySelector("svg");
  places = placesOfNodes;
  nodes = new Map([...picture.querySelectorAll(".node")].map((one) => [Number(one.dataset.node), one]));
  edges = [...picture.querySelectorAll("[data-edge]")].map((one) => [one, ...one.dataset.edge.split(" ").map(Number)]);
  pieces = listings.map((listing) => [...listing.querySelectorAll("span")].map((one) => [one, Number(one.dataset.a), Number(one.dataset.e)]));
  pin(null);
  for (const [number, node] of nodes) {
    const told = [...node.querySelectorAll(":scope > text")].map((one) => one.textContent);
    for (const side in whose) if (node.classList.contains(side)) told.push(whose[side]);
    node.setAttribute("tabindex", "0");
    node.setAttribute("role", "button");
    node.setAttribute("aria-label", told.join(", "));
    node.id = `node-${number}`;
  }
  for (const button of document.querySelectorAll("[data-hide]")) picture.classList.toggle(`no-${button.dataset.hide}`, button.getAttribute("aria-pressed") === "false");
  [wide, high] = [picture.width.baseVal.value, picture.height.baseVal.value];
  zoom(Math.max(0.62, fit()));
}

/* Light nodes up with what they touch, and their code; none: everything as it was. */
function choose(chosen) {
  const lit = new Set(chosen ?? []), near = new Set();
  picture.classList.toggle("chosen", lit.size > 0);
  for (const [edge, source, target] of edges) {
    const on = (lit.has(source) || lit.has(target)) && getComputedStyle(edge).display !== "none";
    edge.classList.toggle("on", on);
    if (on) near.add(source).add(target);
  }
  for (const [number, node] of nodes) {
    node.classList.toggle("lit", lit.has(number));
    node.classList.toggle("near", near.has(number));
  }
  pieces.forEach((own, side) => {
    const ranges = [...lit].map((one) => places[one]?.[side]).filter(Boolean);
    for (const [piece, start, end] of own) piece.classList.toggle("hit", ranges.some(([from, to]) => from <= start && end <= to));
  });
}
/* The nodes with the shortest code around a place of one text. */
function around(place, side) {
  const found = places.map((pair, node) => [node, pair[side]]).filter(([, span]) => span && span[0] <= place && place < span[1]);
  const shortest = Math.min(...found.map(([, [start, end]]) => end - start));
  return found.filter(([, [start, end]]) => end - start === shortest).map(([node]) => node);
}
const pieceAt = (target) => target.closest?.(".code span");
const nodeAt = (target) => target.closest?.(".canvas .node");
const intoView = (one) => one?.scrollIntoView({ block: "nearest", inline: "nearest" });
function pin(chosen) {
  pinned = chosen;
  for (const listing of listings) listing.classList.toggle("pinned", Boolean(chosen));
  choose(chosen);
}
function press(node) {
  const number = Number(node.dataset.node);
  if (whenPressed?.(number)) return;
  pin(pinned?.length === 1 && pinned[0] === number ? null : [number]);
  for (const listing of listings) scrollWithin(listing);
}
// The page itself must not jump while the picture is looked at.
function scrollWithin(listing, hit = listing.querySelector(".hit")) {
  if (!hit) return;
  const box = listing.getBoundingClientRect(), own = hit.getBoundingClientRect();
  if (own.top < box.top || own.bottom > box.bottom) listing.scrollTop += own.top - box.top - box.height / 2;
}

canvas.addEventListener("pointerover", (event) => { const node = nodeAt(event.target); if (node) choose([Number(node.dataset.node)]); });
canvas.addEventListener("pointerout", (event) => { if (nodeAt(event.target)) choose(pinned); });
canvas.addEventListener("focusin", (event) => { const node = nodeAt(event.target); if (node) choose([Number(node.dataset.node)]); });
canvas.addEventListener("focusout", (event) => { if (nodeAt(event.target)?.isConnected) choose(pinned); });
canvas.addEventListener("click", (event) => { const node = nodeAt(event.target); if (node) press(node); else pin(null); });
canvas.addEventListener("keydown", (event) => { if (event.key === "Enter" && nodeAt(event.target)) press(nodeAt(event.target)); });
addEventListener("keydown", (event) => { if (event.key === "Escape") pin(null); });
listings.forEach((listing, side) => {
  listing.addEventListener("pointerover", (event) => { const piece = pieceAt(event.target); if (piece) choose(around(Number(piece.dataset.a), side)); });
  listing.addEventListener("pointerout", (event) => { if (pieceAt(event.target)) choose(pinned); });
  listing.addEventListener("click", (event) => {
    const piece = pieceAt(event.target), chosen = piece ? around(Number(piece.dataset.a), side) : [];
    pin(chosen.length ? chosen : null);
    intoView(nodes.get(chosen[0]));
    for (const other of listings) if (other !== listing) scrollWithin(other);
  });
});

for (const button of document.querySelectorAll("[data-hide]")) button.addEventListener("click", () => {
  const off = picture.classList.toggle(`no-${button.dataset.hide}`);
  button.setAttribute("aria-pressed", String(!off));
  choose(pinned);
});
function zoom(to) {
  scale = Math.min(3, Math.max(0.1, to));
  picture.setAttribute("width", wide * scale);
  picture.setAttribute("height", high * scale);
}
const fit = () => {
  const style = getComputedStyle(canvas);
  return Math.min(1, (canvas.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)) / wide);
};
const steps = { in: () => scale * 1.25, out: () => scale / 1.25, fit };
for (const button of document.querySelectorAll("[data-zoom]")) button.addEventListener("click", () => zoom(steps[button.dataset.zoom]()));
document.querySelector(".zoom").hidden = false;
mount(JSON.parse(document.getElementById("places").textContent));

setTheme();
themeButton.hidden = false;
document.documentElement.dataset.ready = "1";
