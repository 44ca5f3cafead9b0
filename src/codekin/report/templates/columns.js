/* The measures that the tables of means show, as the reader chooses them. */

const columnBoxes = $("columns") ? [...$("columns").querySelectorAll("input")] : [];

function drawColumns() {
  const hidden = new Set(columnBoxes.filter((box) => !box.checked).map((box) => box.value));
  for (const id of ["means", "corpora"]) {
    if (!$(id)) continue;
    for (const head of $(id).tHead.querySelectorAll("[data-column]")) {
      const at = head.cellIndex, hide = hidden.has(head.dataset.column);
      for (const row of $(id).rows) row.cells[at].hidden = hide;
    }
  }
  $("columns-told").textContent = hidden.size ? `(${columnBoxes.length - hidden.size} of ${columnBoxes.length})` : "";
}
function chooseColumns(shown) {
  for (const box of columnBoxes) box.checked = shown(box.value);
  drawColumns();
}
function rememberColumns(words) {
  if (columnBoxes.every((box) => box.checked)) return;
  const shown = columnBoxes.filter((box) => box.checked);
  if (!shown.length) words.set("column", "");
  for (const box of shown) words.append("column", box.value);
}
function readColumns(words) {
  if (!columnBoxes.length || !words.has("column")) return false;
  const names = new Set(words.getAll("column"));
  chooseColumns((name) => names.has(name));
  return true;
}
function startColumns() {
  if (!$("columns")) return;
  $("columns").addEventListener("input", () => { drawColumns(); remember("overview"); });
  for (const [id, shown] of [["columns-all", true], ["columns-none", false]]) {
    $(id).addEventListener("click", () => { chooseColumns(() => shown); remember("overview"); });
  }
  $("ranking").addEventListener("submit", (event) => event.preventDefault());
  $("ranking").hidden = false;
}
