/* Two revisions beside their origin, from the view that the file holds of a row. */

const ROLES = ["origin", "reference", "candidate"];
const AGREEMENTS = { alike: "alike", reference: "only the reference", candidate: "only the candidate", different: "differently" };
const MARKS = { ia: "inserted by both", da: "deleted by both", dr: "deleted by the reference only", dc: "deleted by the candidate only" };
const marked = (text, mark) => make(mark[0] === "i" ? "ins" : "del", { class: mark }, text);

function editsLegend(marks) {
  return make("p", { class: "edits-legend" }, marks.map((mark) => mark === "io"
    ? ROLES.slice(1).map((role) => make("span", { class: `of-${role}` }, marked("x", mark), ` inserted by the ${role} only`))
    : make("span", {}, marked("x", mark), ` ${MARKS[mark]}`)));
}
function editsCell(role, line) {
  const cell = make("div", { class: `of-${role}${line ? "" : " none"}`, role: "cell" });
  if (!line) return cell;
  const code = make("code", {});
  for (let i = 1; i < line.length; i += 2) {
    const text = line[i], mark = line[i + 1];
    if (mark === "k") code.append(...visible(text));
    else if (mark === "p") code.append(...(text.trim() ? [make("span", { class: "p" }, text)] : visible(text)));
    else code.append(marked(text, mark));
  }
  cell.append(make("span", { class: "n" }, String(line[0])), code);
  return cell;
}
function editsHead({ number, where, agreement, verdict, counts }) {
  return make("div", { class: `edits-head ${agreement}`, role: "row" }, make("div", { role: "cell" },
    make("b", {}, String(number)), " ", make("span", { class: "tag" }, AGREEMENTS[agreement]), " ", make("span", { class: "where" }, where), " ",
    make("span", { class: "say" }, verdict.map(([text, quoted]) => quoted ? make("code", {}, text) : text)),
    make("small", {}, counts)));
}
function editsItem(item) {
  if (typeof item === "string") return make("div", { class: "edits-gap", role: "row" }, make("div", { role: "cell" }, item));
  if (!Array.isArray(item)) return editsHead(item);
  return make("div", { class: `edits-row ${["other", "touched", "same"][item[3]]}`, role: "row" }, ROLES.map((role, i) => editsCell(role, item[i])));
}
function editsView({ problem, summary, marks, items }, shaded) {
  if (problem) return make("p", { class: "plain-word" }, "The edits could not be aligned: ", problem);
  return [
    make("p", { class: "edits-told" }, summary[0].toUpperCase() + summary.slice(1) + ". ", shaded ? make("small", {}, "What the measure shades is shown against the reference.") : null),
    marks.length ? editsLegend(marks) : null,
    make("div", { class: "edits-around" }, make("div", { class: "edits", role: "table", tabindex: "0", "aria-label": "The three texts, line by line" },
      make("div", { class: "edits-roles", role: "row" }, ROLES.map((role) => make("div", { role: "columnheader" }, role))),
      items.map(editsItem))),
  ];
}
