/* The page of a class: the table of pairs and what filters it, and the graph. */

const about = JSON.parse($("about").textContent);
const rows = [...$("pair-table").tBodies[0].rows];
let members = null; // names of the group that is listed, or null

/* What is listed */
const listed = () => rows.filter((row) => !row.hidden).map((row) => Number(row.dataset.pair));
function list() {
  const words = $("find").value.trim().toLowerCase();
  const only = $("only-suspicious") && $("only-suspicious").checked;
  let count = 0;
  for (const row of rows) {
    const pair = Number(row.dataset.pair), names = about.pairs[pair];
    const fits = !words || names.some((name) => name.toLowerCase().includes(words));
    row.hidden = !fits || (only && !about.suspicious[pair]) || (members !== null && !names.every((name) => members.has(name)));
    count += !row.hidden;
  }
  $("everyone").hidden = !words && members === null;
  $("found").textContent = count === rows.length ? "" : `${many(count)} of ${many(rows.length)}`;
}
function listOnly(names, words = "") {
  members = names;
  $("find").value = words;
  list();
  $("pairs").scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}
// The students that suspicious pairs lead to, from one of them on.
function groupOf(name) {
  const found = new Set([name]);
  for (let before = 0; before < found.size;) {
    before = found.size;
    about.pairs.forEach((names, pair) => { if (about.suspicious[pair] && names.some((one) => found.has(one))) names.forEach((one) => found.add(one)); });
  }
  return found;
}
function readyTable() {
  for (const row of rows) {
    row.addEventListener("click", (event) => { if (!event.target.closest("a")) location.hash = `pair-${row.dataset.pair}`; });
  }
  $("find").addEventListener("input", list);
  if ($("only-suspicious")) $("only-suspicious").addEventListener("change", list);
  $("everyone").addEventListener("click", () => listOnly(null));
  for (const button of document.querySelectorAll(".only")) {
    const link = button.parentNode.querySelector("a").hash.slice(6);
    button.hidden = false;
    button.addEventListener("click", () => listOnly(groupOf(about.pairs[Number(link)][0])));
  }
  for (const node of document.querySelectorAll(".students .node")) {
    node.addEventListener("click", () => listOnly(null, node.dataset.name));
  }
}
