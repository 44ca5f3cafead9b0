/* The heatmap with its tree: what is drawn where, in which colours. */

// Lightness rises or falls all the way, so that the order of scores is seen without a legend.
const RAMPS = {
  light: ["#f7f2e6", "#cfe6d3", "#86c9c0", "#3a9fad", "#2a6c98", "#2f3f7c", "#2a1748"],
  dark: ["#171b20", "#1c3048", "#1b5570", "#208383", "#56b184", "#b4d77f", "#fdf3b4"],
};
const sight = { row: 0, column: 0, span: count }; // the part of the matrix that is seen, by places
let frame = null; // where the parts of the picture are, in CSS pixels
let ramp = null, image = null; // 256 colours, and the matrix with a pixel for each cell
let ink = {};

const probe = document.createElement("i");
function colour(name) {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}
function lab([r, g, b]) {
  const [x, y, z] = [r, g, b].map((c) => { c /= 255; return c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4; });
  const l = Math.cbrt(.4122214708 * x + .5363325363 * y + .0514459929 * z), m = Math.cbrt(.2119034982 * x + .6806995451 * y + .1073969566 * z), s = Math.cbrt(.0883024619 * x + .2817188376 * y + .6299787005 * z);
  return [.2104542553 * l + .793617785 * m - .0040720468 * s, 1.9779984951 * l - 2.428592205 * m + .4505937099 * s, .0259040371 * l + .7827717662 * m - .808675766 * s];
}
function rgb([L, a, b]) {
  const l = (L + .3963377774 * a + .2158037573 * b) ** 3, m = (L - .1055613458 * a - .0638541728 * b) ** 3, s = (L - .0894841775 * a - 1.291485548 * b) ** 3;
  return [4.0767416621 * l - 3.3077115913 * m + .2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - .3413193965 * s, -.0041960863 * l - .7034186147 * m + 1.707614701 * s]
    .map((c) => Math.round(255 * Math.min(1, Math.max(0, c <= .0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - .055))));
}
const hex = (text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
function mixRamp(stops) {
  const points = stops.map((stop) => lab(hex(stop)));
  return Array.from({ length: 256 }, (_, i) => {
    const at = i / 255 * (points.length - 1), from = Math.min(points.length - 2, Math.floor(at));
    return rgb(points[from].map((c, k) => c + (points[from + 1][k] - c) * (at - from)));
  });
}
const step = (value) => Math.round(255 * Math.min(1, Math.max(0, (value - about.scale[0]) / (about.scale[1] - about.scale[0]))));
const cellColour = (value) => `rgb(${ramp[step(value)].join()})`;

function setColours(theme) {
  document.body.append(probe);
  for (const name of ["ink", "soft", "line", "strong-line", "paper", "surface", "sunken", "miss", "accent"]) ink[name] = colour(name);
  ink.groups = Array.from({ length: about.colours }, (_, i) => colour(`system-${i}`));
  ink.sans = getComputedStyle(document.body).fontFamily;
  probe.remove();
  ramp = mixRamp(RAMPS[theme]);
  image = document.createElement("canvas");
  image.width = image.height = count;
  const pencil = image.getContext("2d"), dots = pencil.createImageData(count, count);
  const own = ink["strong-line"].match(/[\d.]+/g).slice(0, 3).map(Number);
  for (let r = 0, to = 0; r < count; r++) for (let c = 0; c < count; c++, to += 4) {
    const [red, green, blue] = r === c ? own : ramp[step(valueOf(order[r], order[c]))];
    dots.data[to] = red; dots.data[to + 1] = green; dots.data[to + 2] = blue; dots.data[to + 3] = 255;
  }
  pencil.putImageData(dots, 0, 0);
  drawScale();
}
function drawScale() {
  const bar = $("scale").querySelector("canvas"), pencil = bar.getContext("2d");
  for (let x = 0; x < bar.width; x++) { pencil.fillStyle = `rgb(${ramp[Math.round(255 * x / (bar.width - 1))].join()})`; pencil.fillRect(x, 0, 1, 1); }
  const [low, high] = $("scale").querySelectorAll("span");
  low.textContent = about.scale[0].toFixed(1);
  high.textContent = about.scale[1].toFixed(1) + (about.scale[2] > about.scale[1] ? " and more" : "");
  $("scale").setAttribute("aria-label", `Colours from ${low.textContent} to ${high.textContent}`);
}

/* How wide tree, names and cells are; names only where a line of text fits a row. */
function layOut() {
  const wide = $("plot").clientWidth, tall = Math.max(320, Math.min(920, innerHeight * .9));
  const tree = Math.min(170, Math.max(54, wide * .15)), strip = 9, axis = 34;
  const pencil = $("base").getContext("2d");
  let font = 0, name = 0, top = 8;
  let side = Math.min(wide - tree - strip - 2, tall, sight.span * 58);
  if (side / sight.span >= 10.5) {
    font = Math.min(13, Math.max(9.5, side / sight.span * .82));
    pencil.font = `${font}px ${ink.sans}`;
    let longest = 0;
    for (let i = 0; i < sight.span; i++) for (const at of [sight.row + i, sight.column + i]) longest = Math.max(longest, pencil.measureText(brief[order[at]]).width);
    name = Math.min(longest + 14, wide * .3);
    top = Math.min(longest, sight.span > 40 ? 120 : 170) + 12;
    side = Math.min(wide - tree - name - strip - 2, tall - top, sight.span * 58);
    if (side / sight.span < 9.5) { font = name = 0; top = 8; side = Math.min(wide - tree - strip - 2, tall, sight.span * 58); }
  }
  frame = { tree, name, strip, font, x: tree + name + strip, y: top, side, cell: side / sight.span, wide: tree + name + strip + side + 2, tall: top + side + axis };
}
function pencilOf(id) {
  const canvas = $(id), sharp = Math.min(2, devicePixelRatio || 1);
  canvas.width = Math.round(frame.wide * sharp);
  canvas.height = Math.round(frame.tall * sharp);
  canvas.style.width = `${frame.wide}px`;
  canvas.style.height = `${frame.tall}px`;
  const pencil = canvas.getContext("2d");
  pencil.scale(sharp, sharp);
  return pencil;
}
function drawMap(groups, threshold) {
  layOut();
  const pencil = pencilOf("base"), { x, y, side, cell } = frame;
  pencil.imageSmoothingEnabled = cell < 1;
  pencil.drawImage(image, sight.column, sight.row, sight.span, sight.span, x, y, side, side);
  if (cell >= 12) drawGaps(pencil);
  if (about.inexact && cell >= 7) drawCorners(pencil);
  if (cell >= 33) drawValues(pencil);
  if (frame.font) drawNames(pencil);
  drawGroups(pencil, groups);
  drawTree(pencil, groups, threshold);
  pencilOf("over");
}
function drawGaps(pencil) {
  const { x, y, side, cell } = frame;
  pencil.strokeStyle = ink.paper;
  pencil.lineWidth = cell >= 24 ? 2 : 1;
  pencil.beginPath();
  for (let i = 0; i <= sight.span; i++) { pencil.moveTo(x + i * cell, y); pencil.lineTo(x + i * cell, y + side); pencil.moveTo(x, y + i * cell); pencil.lineTo(x + side, y + i * cell); }
  pencil.stroke();
}
function eachCell(run) {
  for (let r = 0; r < sight.span; r++) for (let c = 0; c < sight.span; c++) {
    const file = order[sight.row + r], other = order[sight.column + c];
    if (file !== other) run(file, other, frame.x + c * frame.cell, frame.y + r * frame.cell);
  }
}
// Black or white, whichever stands out more.
const onCell = (value) => lab(ramp[step(value)])[0] > .62 ? "#10151a" : "#ffffff";
function drawCorners(pencil) {
  const size = Math.min(9, frame.cell * .42), off = frame.cell >= 24 ? 1 : .5;
  eachCell((file, other, x, y) => {
    if (!isLoose(file, other)) return;
    pencil.fillStyle = onCell(valueOf(file, other));
    pencil.beginPath();
    pencil.moveTo(x + frame.cell - off, y + off);
    pencil.lineTo(x + frame.cell - off - size, y + off);
    pencil.lineTo(x + frame.cell - off, y + off + size);
    pencil.fill();
  });
}
function drawValues(pencil) {
  pencil.font = `${Math.min(14, frame.cell * .32)}px ${ink.sans}`;
  pencil.textAlign = "center";
  pencil.textBaseline = "middle";
  eachCell((file, other, x, y) => {
    const value = valueOf(file, other);
    pencil.fillStyle = onCell(value);
    pencil.fillText(value < 1 ? Math.min(.99, value).toFixed(2) : "1", x + frame.cell / 2, y + frame.cell / 2 + 1);
  });
}
function drawNames(pencil) {
  const { tree, name, x, y, cell, font } = frame;
  pencil.font = `${font}px ${ink.sans}`;
  pencil.fillStyle = ink.soft;
  pencil.textBaseline = "middle";
  for (let i = 0; i < sight.span; i++) {
    pencil.textAlign = "right";
    pencil.fillText(fitting(pencil, brief[order[sight.row + i]], name - 12), tree + name - 5, y + (i + .5) * cell + .5);
    pencil.save();
    pencil.translate(x + (i + .5) * cell, y - 6);
    pencil.rotate(-Math.PI / 2);
    pencil.textAlign = "left";
    pencil.fillText(fitting(pencil, brief[order[sight.column + i]], y - 8), 0, .5);
    pencil.restore();
  }
}
// What does not fit loses its middle, since names differ at their ends.
function fitting(pencil, text, room) {
  if (pencil.measureText(text).width <= room) return text;
  let kept = text.length - 1, cut = text;
  do {
    const head = Math.floor(kept / 3);
    cut = `${text.slice(0, head)}…${text.slice(text.length - (kept - head))}`;
  } while (--kept > 1 && pencil.measureText(cut).width > room);
  return cut;
}
const tint = (group) => ink.groups[(group.number - 1) % about.colours];
function drawGroups(pencil, groups) {
  const { x, y, side, cell, strip } = frame;
  pencil.save();
  pencil.beginPath();
  pencil.rect(x - strip, y - 1, side + strip + 1, side + 2);
  pencil.clip();
  for (const group of groups) {
    const size = (group.last - group.first + 1) * cell;
    const down = y + (group.first - sight.row) * cell, across = x + (group.first - sight.column) * cell;
    pencil.fillStyle = pencil.strokeStyle = tint(group);
    pencil.fillRect(x - strip + 1, down + (cell > 6 ? 1 : 0), strip - 4, Math.max(1, size - (cell > 6 ? 2 : 0)));
    if (size > 14) { // a rim, so that it is seen on cells of its own colour
      pencil.strokeStyle = ink.paper;
      pencil.lineWidth = 4;
      pencil.strokeRect(across, down, size, size);
      pencil.strokeStyle = tint(group);
    }
    pencil.lineWidth = size > 14 ? 2 : 1;
    pencil.strokeRect(across, down, size, size);
  }
  pencil.restore();
}
/* The tree, from the highest join at the cells to the lowest one at the left. */
function drawTree(pencil, groups, threshold) {
  const { tree, y, side, cell } = frame, end = tree - 4;
  const low = Math.min(joins.length ? joins[joins.length - 1].similarity : 0, .95);
  const high = Math.max(low + .05, Math.min(1, Math.ceil((joins.length ? joins[0].similarity : 1) * 10 + .2) / 10));
  const across = (similarity) => end - Math.max(0, high - similarity) / (high - low) * (end - 6);
  const tintAt = new Map();
  for (const group of groups) for (let at = group.first; at <= group.last; at++) tintAt.set(at, tint(group));
  pencil.save();
  pencil.beginPath();
  pencil.rect(0, y, tree + 1, side);
  pencil.clip();
  const drawn = cell < 3 ? .6 : cell < 8 ? 1 : 1.4;
  for (const join of joins) {
    if (join.last < sight.row || join.first >= sight.row + sight.span) continue;
    const inside = join.similarity >= threshold - 1e-12;
    pencil.strokeStyle = inside ? tintAt.get(join.first) || ink.soft : ink.soft;
    pencil.lineWidth = inside ? drawn + .3 : drawn * .8;
    const [a, b, x] = [join.one, join.other, across(join.similarity)];
    pencil.beginPath();
    pencil.moveTo(across(a.similarity), y + (a.middle - sight.row) * cell);
    pencil.lineTo(x, y + (a.middle - sight.row) * cell);
    pencil.lineTo(x, y + (b.middle - sight.row) * cell);
    pencil.lineTo(across(b.similarity), y + (b.middle - sight.row) * cell);
    pencil.stroke();
  }
  if (threshold >= low) {
    pencil.strokeStyle = ink.miss;
    pencil.lineWidth = 1.5;
    pencil.setLineDash([4, 3]);
    pencil.beginPath();
    pencil.moveTo(across(threshold), y);
    pencil.lineTo(across(threshold), y + side);
    pencil.stroke();
  }
  pencil.restore();
  pencil.fillStyle = ink.soft;
  pencil.font = `10.5px ${ink.sans}`;
  pencil.textBaseline = "top";
  pencil.textAlign = "left";
  pencil.fillText(low.toFixed(2), 0, y + side + 5);
  pencil.textAlign = "right";
  pencil.fillText(high === 1 ? "1" : high.toFixed(2), end + 3, y + side + 5);
  pencil.textAlign = "center";
  if (tree > 140) pencil.fillText("mean similarity", end / 2, y + side + 5);
}
/* Over the map: the row and the column of the pair that is looked at, and files that were found. */
function drawOver(cursor, found) {
  const canvas = $("over"), pencil = canvas.getContext("2d"), { x, y, side, cell } = frame;
  pencil.clearRect(0, 0, frame.wide, frame.tall);
  pencil.save();
  pencil.beginPath();
  pencil.rect(frame.tree, 0, frame.wide, y + side + 2);
  pencil.clip();
  pencil.fillStyle = ink.miss;
  for (const file of found) {
    const row = place[file] - sight.row, column = place[file] - sight.column;
    if (row >= 0 && row < sight.span) pencil.fillRect(x - 3, y + row * cell, 3, Math.max(2, cell));
    if (column >= 0 && column < sight.span) pencil.fillRect(x + column * cell, y - 4, Math.max(2, cell), 3);
    pencil.globalAlpha = .16;
    if (row >= 0 && row < sight.span) pencil.fillRect(x, y + row * cell, side, Math.max(1.5, cell));
    if (column >= 0 && column < sight.span) pencil.fillRect(x + column * cell, y, Math.max(1.5, cell), side);
    pencil.globalAlpha = 1;
  }
  if (cursor) {
    const [row, column] = [cursor[0] - sight.row, cursor[1] - sight.column];
    pencil.strokeStyle = ink.ink;
    pencil.globalAlpha = .55;
    pencil.lineWidth = 1;
    pencil.strokeRect(x, y + row * cell, side, cell);
    pencil.strokeRect(x + column * cell, y, cell, side);
    pencil.globalAlpha = 1;
    pencil.lineWidth = 2.5;
    pencil.strokeRect(x + column * cell - 1, y + row * cell - 1, cell + 2, cell + 2);
  }
  pencil.restore();
}
// The places of the row and the column under a point; null beside the cells.
function cellAt(event) {
  const box = $("base").getBoundingClientRect();
  const column = Math.floor((event.clientX - box.left - frame.x) / frame.cell), row = Math.floor((event.clientY - box.top - frame.y) / frame.cell);
  const inside = row >= 0 && column >= 0 && row < sight.span && column < sight.span;
  return inside ? [sight.row + row, sight.column + column] : null;
}
