/* Code and graph point at each other; kinds of edges switch on and off. The rest works without. */

const picture = document.querySelector(".canvas svg");
const canvas = document.querySelector(".canvas");
const listing = document.querySelector(".code");
const spans = JSON.parse(document.getElementById("spans").textContent);
const spanOf = new Map(spans.map(([node, start, end]) => [node, [start, end]]));
const nodes = new Map([...picture.querySelectorAll(".node")].map((one) => [Number(one.dataset.node), one]));
const edges = [...picture.querySelectorAll(".edge")].map((one) => [one, ...one.dataset.edge.split(" ").map(Number)]);
const pieces = [...listing.querySelectorAll("span")].map((one) => [one, Number(one.dataset.a), Number(one.dataset.e)]);
let pinned = null;

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
  const ranges = [...lit].map((one) => spanOf.get(one)).filter(Boolean);
  for (const [piece, start, end] of pieces) piece.classList.toggle("hit", ranges.some(([from, to]) => from <= start && end <= to));
}
/* The nodes with the shortest code around a place. */
function around(place) {
  const found = spans.filter(([, start, end]) => start <= place && place < end);
  const shortest = Math.min(...found.map(([, start, end]) => end - start));
  return found.filter(([, start, end]) => end - start === shortest).map(([node]) => node);
}
const pieceAt = (target) => target.closest?.(".code span");
const nodeAt = (target) => target.closest?.(".node");
function pin(chosen) {
  pinned = chosen;
  listing.classList.toggle("pinned", Boolean(chosen));
  choose(chosen);
}

picture.addEventListener("pointerover", (event) => {
  const node = nodeAt(event.target);
  if (node) choose([Number(node.dataset.node)]);
});
picture.addEventListener("pointerout", (event) => { if (nodeAt(event.target)) choose(pinned); });
picture.addEventListener("focusin", (event) => { const node = nodeAt(event.target); if (node) choose([Number(node.dataset.node)]); });
picture.addEventListener("focusout", () => choose(pinned));
function press(node) {
  const number = Number(node.dataset.node);
  pin(pinned?.length === 1 && pinned[0] === number ? null : [number]);
  listing.querySelector(".hit")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}
canvas.addEventListener("click", (event) => {
  const node = nodeAt(event.target);
  if (node) press(node); else pin(null);
});
picture.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && nodeAt(event.target)) press(nodeAt(event.target));
});
addEventListener("keydown", (event) => { if (event.key === "Escape") pin(null); });
listing.addEventListener("pointerover", (event) => {
  const piece = pieceAt(event.target);
  if (piece) choose(around(Number(piece.dataset.a)));
});
listing.addEventListener("pointerout", (event) => { if (pieceAt(event.target)) choose(pinned); });
listing.addEventListener("click", (event) => {
  const piece = pieceAt(event.target), chosen = piece ? around(Number(piece.dataset.a)) : [];
  pin(chosen.length ? chosen : null);
  nodes.get(chosen[0])?.scrollIntoView({ block: "nearest", inline: "nearest" });
});
for (const [number, node] of nodes) {
  node.setAttribute("tabindex", "0");
  node.setAttribute("role", "button");
  node.setAttribute("aria-label", [...node.querySelectorAll("text")].map((one) => one.textContent).join(", "));
  node.id = `node-${number}`;
}

for (const button of document.querySelectorAll(".kind")) button.addEventListener("click", () => {
  const off = picture.classList.toggle(`no-${button.dataset.kind}`);
  button.setAttribute("aria-pressed", String(!off));
  choose(pinned);
});
const [wide, high] = [picture.width.baseVal.value, picture.height.baseVal.value];
let scale = 1;
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
zoom(Math.max(0.62, fit()));

const button = document.getElementById("theme");
const dark = matchMedia("(prefers-color-scheme: dark)");
function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  const now = document.documentElement.dataset.theme || (dark.matches ? "dark" : "light");
  const other = now === "dark" ? "light" : "dark";
  button.textContent = other === "dark" ? "Dark" : "Light";
  button.setAttribute("aria-label", `Switch to the ${other} theme`);
  button.onclick = () => setTheme(other);
}
dark.addEventListener("change", () => setTheme());
setTheme();
button.hidden = false;
document.documentElement.dataset.ready = "1";
