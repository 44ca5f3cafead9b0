/* Any two measures against each other. Dots are summed into densities, so that a hundred thousand
   of them take a few milliseconds and a heap of equal ones is darker than a single one. */

const MARGINS = { left: 54, right: 14, top: 10, bottom: 44 };
const CELL = 10; // of the grid that finds the dot under the pointer, in pixels
const MOST_COLORS = 8;
const MOST_COLORED = 5000; // dots; more of them in several colours would mix to mud
let plot = null; // geometry of what is drawn, and its grid once the pointer asks

const axisNames = () => [...measures.map((measure) => measure.name), ...(about.outcome ? ["outcome"] : []), ...(about.chances && !measures.some((one) => one.name === "p") ? ["p"] : [])];
function fillAxes() {
  if (!$("scatter")) return;
  for (const name of ["x", "y"]) $(name).replaceChildren(...axisNames().map((one) => make("option", { value: one }, one)));
  // The two likenesses that are graded; a measure that is 0 or 1 makes two heaps.
  const graded = measures.filter((measure) => !measure.distance && measure.values.some((x) => x % 1));
  const first = graded.find((measure) => measure.name === "bleu") || graded[0] || measures[0];
  const second = graded.find((measure) => measure !== first && ["tsed", "codebleu"].includes(measure.name)) || graded.find((measure) => measure !== first) || measures.find((measure) => measure !== first);
  $("x").value = first.name;
  $("y").value = (second || first).name;
  $("scatter").hidden = false;
}
const colored = () => systems.length > 1 && systems.length <= MOST_COLORS && shown.length <= MOST_COLORED;
function drawLegend() {
  const group = valueOf("group");
  $("scatter-legend").replaceChildren(...(systems.length > 1 && systems.length <= MOST_COLORS ? systems.map((system, i) => make("li", {},
    make("button", { type: "button", "aria-pressed": String(group === system.name), title: "only these", on: { click: () => { $("group").value = group === system.name ? "" : system.name; update(); } } },
      make("i", { "--dot": colored() ? `var(--system-${i})` : "var(--hue)" }), system.name))) : []));
}
const colorOf = (node, name) => {
  node.style.color = `var(${name})`;
  const found = getComputedStyle(node).color;
  node.style.color = "";
  return found;
};
function rgb(node, name) {
  const context = rgb.context ||= Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  context.fillStyle = colorOf(node, name);
  context.fillRect(0, 0, 1, 1);
  return context.getImageData(0, 0, 1, 1).data;
}
function ticks(low, high) {
  let step = 10 ** Math.floor(Math.log10((high - low) / 4));
  step *= [1, 2, 2.5, 5, 10].find((factor) => (high - low) / (step * factor) <= 5);
  const out = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-9); i++) out.push(i * step);
  return out;
}

// Where no score is low, the axis need not begin at 0.
function lowest(axis) {
  if (axis.low !== undefined || axis.distance) return axis.low || 0;
  let low = 1;
  for (const value of axis.values) if (value < low) low = value;
  return low < .2 ? 0 : Math.min(.9, Math.floor(low * 10 - 1e-9) / 10);
}
function drawScatter() {
  if (!$("scatter") || !about.rows) return;
  const canvas = $("canvas"), across = byName.get(valueOf("x")), up = byName.get(valueOf("y"));
  const width = canvas.parentNode.clientWidth;
  if (!width || !across || !up) return;
  const height = Math.round(Math.min(width * .82, 460)), ratio = Math.min(2, devicePixelRatio || 1);
  canvas.style.height = `${height}px`;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const box = { left: MARGINS.left, top: MARGINS.top, width: width - MARGINS.left - MARGINS.right, height: height - MARGINS.top - MARGINS.bottom };
  const lowX = lowest(across), lowY = lowest(up);
  plot = {
    across, up, box, width, height, lowX, lowY, grid: null,
    x: (row) => box.left + box.width * (across.values[row] - lowX) / (across.high - lowX),
    y: (row) => box.top + box.height * (1 - (up.values[row] - lowY) / (up.high - lowY)),
  };
  const context = canvas.getContext("2d", { willReadFrequently: true });
  drawDensity(context, canvas, ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawAxes(context, canvas);
  plot.still = context.getImageData(0, 0, canvas.width, canvas.height);
  drawChosen(context, canvas);
  drawLegend();
  canvas.setAttribute("aria-label", `${many(shown.length)} rows, ${across.name} across and ${up.name} up`);
}
// The same dots with another one ringed.
function moveRing() {
  if (!plot) return;
  const canvas = $("canvas"), context = canvas.getContext("2d", { willReadFrequently: true });
  context.putImageData(plot.still, 0, 0);
  drawChosen(context, canvas);
}
function drawDensity(context, canvas, ratio) {
  const { width, height } = canvas, { x, y } = plot;
  const several = colored();
  const colors = several ? systems.map((_, i) => rgb(canvas, `--system-${i}`)) : [rgb(canvas, "--hue")];
  const rest = rgb(canvas, "--soft");
  const count = shown.length;
  const radius = ratio * (count < 500 ? 3.4 : count < 5000 ? 2.4 : count < 30000 ? 1.7 : 1.2);
  const stamp = [];
  for (let dy = -Math.ceil(radius); dy <= radius; dy++) for (let dx = -Math.ceil(radius); dx <= radius; dx++) {
    const weight = Math.max(0, Math.min(1, radius + .5 - Math.hypot(dx, dy)));
    if (weight) stamp.push(dx, dy, weight);
  }
  const size = width * height;
  const dense = new Float32Array(size), red = new Float32Array(size), green = new Float32Array(size), blue = new Float32Array(size), others = new Float32Array(size);
  const put = (row, color) => {
    const px = Math.round(x(row) * ratio), py = Math.round(y(row) * ratio);
    if (px !== px || py !== py) return;
    for (let i = 0; i < stamp.length; i += 3) {
      const qx = px + stamp[i], qy = py + stamp[i + 1];
      if (qx < 0 || qy < 0 || qx >= width || qy >= height) continue;
      const at = qy * width + qx, weight = stamp[i + 2];
      if (!color) { others[at] += weight; continue; }
      dense[at] += weight;
      red[at] += weight * color[0];
      green[at] += weight * color[1];
      blue[at] += weight * color[2];
    }
  };
  for (const row of shown) put(row, colors[several ? columns.system[row] : 0]);
  if (count < about.rows) for (let row = 0; row < about.rows; row++) if (whereShown[row] === NONE) put(row, null);
  let most = 4;
  for (let i = 0; i < size; i++) if (dense[i] > most) most = dense[i];
  const image = context.createImageData(width, height), data = image.data;
  const least = count < 2000 ? .5 : .3, top = Math.log1p(most);
  for (let i = 0; i < size; i++) {
    const d = dense[i];
    if (d) {
      data[4 * i] = red[i] / d; data[4 * i + 1] = green[i] / d; data[4 * i + 2] = blue[i] / d;
      data[4 * i + 3] = 255 * Math.min(1, d) * (least + (1 - least) * Math.log1p(d) / top);
    } else if (others[i]) {
      data[4 * i] = rest[0]; data[4 * i + 1] = rest[1]; data[4 * i + 2] = rest[2];
      data[4 * i + 3] = 255 * Math.min(.22, .1 * others[i]);
    }
  }
  context.putImageData(image, 0, 0);
}
function drawAxes(context, canvas) {
  const { box, across, up, width, height } = plot;
  const soft = colorOf(canvas, "--soft"), ink = colorOf(canvas, "--ink"), line = colorOf(canvas, "--line");
  context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  context.lineWidth = 1;
  context.globalCompositeOperation = "destination-over"; // the grid lies under the dots
  context.strokeStyle = line;
  const { lowX, lowY } = plot;
  const atX = (value) => box.left + box.width * (value - lowX) / (across.high - lowX);
  const atY = (value) => box.top + box.height * (1 - (value - lowY) / (up.high - lowY));
  for (const value of ticks(lowX, across.high)) { context.beginPath(); context.moveTo(Math.round(atX(value)) + .5, box.top); context.lineTo(Math.round(atX(value)) + .5, box.top + box.height); context.stroke(); }
  for (const value of ticks(lowY, up.high)) { context.beginPath(); context.moveTo(box.left, Math.round(atY(value)) + .5); context.lineTo(box.left + box.width, Math.round(atY(value)) + .5); context.stroke(); }
  context.globalCompositeOperation = "source-over";
  context.fillStyle = soft;
  context.textAlign = "center";
  context.textBaseline = "top";
  const shape = (value) => String(Number(value.toPrecision(6)));
  for (const value of ticks(lowX, across.high)) context.fillText(shape(value), atX(value), box.top + box.height + 6);
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const value of ticks(lowY, up.high)) context.fillText(shape(value), box.left - 7, atY(value));
  context.fillStyle = ink;
  context.font = `600 12px ${getComputedStyle(document.body).fontFamily}`;
  context.textAlign = "center";
  context.textBaseline = "bottom";
  const title = (axis) => axis.name + (axis.distance ? " (a distance)" : "");
  context.fillText(title(across), box.left + box.width / 2, height - 3);
  context.save();
  context.translate(11, box.top + box.height / 2);
  context.rotate(-Math.PI / 2);
  context.textBaseline = "middle";
  context.fillText(title(up), 0, 0);
  context.restore();
  plot.width = width;
}
function drawChosen(context, canvas) {
  const px = plot.x(state.row), py = plot.y(state.row);
  if (px !== px || py !== py || !shown.length) return;
  for (const [radius, name, width] of [[6.5, "--surface", 4], [6.5, "--ink", 1.8]]) {
    context.beginPath();
    context.arc(px, py, radius, 0, 2 * Math.PI);
    context.lineWidth = width;
    context.strokeStyle = colorOf(canvas, name);
    context.stroke();
  }
}

/* The dot under the pointer */
function gridOf() {
  const across = Math.ceil(plot.width / CELL) + 1, down = Math.ceil(plot.height / CELL) + 1;
  const starts = new Uint32Array(across * down + 1), cells = new Int32Array(shown.length);
  shown.forEach((row, i) => {
    const px = plot.x(row), py = plot.y(row);
    cells[i] = px === px && py === py ? Math.min(down - 1, Math.max(0, py / CELL | 0)) * across + Math.min(across - 1, Math.max(0, px / CELL | 0)) : -1;
    if (cells[i] >= 0) starts[cells[i] + 1]++;
  });
  for (let i = 1; i < starts.length; i++) starts[i] += starts[i - 1];
  const next = starts.slice(), rows = new Uint32Array(shown.length);
  shown.forEach((row, i) => { if (cells[i] >= 0) rows[next[cells[i]]++] = row; });
  return { across, down, starts, rows };
}
function nearest(event) {
  if (!plot) return null;
  const grid = plot.grid ||= gridOf();
  const edge = $("canvas").getBoundingClientRect(), px = event.clientX - edge.left, py = event.clientY - edge.top;
  const cx = px / CELL | 0, cy = py / CELL | 0;
  let best = null, least = CELL * CELL, heap = 0;
  for (let y = Math.max(0, cy - 1); y <= Math.min(grid.down - 1, cy + 1); y++) for (let x = Math.max(0, cx - 1); x <= Math.min(grid.across - 1, cx + 1); x++) {
    const cell = y * grid.across + x;
    for (let i = grid.starts[cell]; i < grid.starts[cell + 1]; i++) {
      const row = grid.rows[i], far = (plot.x(row) - px) ** 2 + (plot.y(row) - py) ** 2;
      if (far < least - 1e-6) { least = far; best = row; heap = 1; }
      else if (Math.abs(far - least) <= 1e-6) heap++;
    }
  }
  return best === null ? null : { row: best, heap };
}
function point(event) {
  const found = nearest(event), canvas = $("canvas");
  canvas.style.cursor = found ? "pointer" : "";
  if (!found) { $("scatter-told").textContent = "Point at a dot to see which row it is; click to open it."; return; }
  const { row, heap } = found, { across, up } = plot;
  const system = systems.length > 1 ? `${systemOf(row).name}, ` : "";
  $("scatter-told").replaceChildren(make("b", {}, ids[row]), ` · ${system}${across.name} ${scoreText(across, row)}, ${up.name} ${scoreText(up, row)}${heap > 1 ? ` · the first of ${many(heap)} here` : ""}`);
}
function startScatter() {
  if (!$("scatter")) return;
  $("canvas").addEventListener("pointermove", point);
  $("canvas").addEventListener("click", (event) => { const found = nearest(event); if (found) visit(found.row); });
  for (const name of ["x", "y"]) $(name).addEventListener("change", () => { drawScatter(); remember(); });
  new ResizeObserver(() => { if (!plot || plot.width !== $("canvas").parentNode.clientWidth) drawScatter(); }).observe($("canvas").parentNode);
  addEventListener("beforeprint", () => { $("canvas").style.colorScheme = "light"; drawScatter(); });
  addEventListener("afterprint", () => { $("canvas").style.colorScheme = ""; drawScatter(); });
}
