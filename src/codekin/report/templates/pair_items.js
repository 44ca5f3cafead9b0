/* The list of pairs: what an item shows. */

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
  return option(at, top,
    make("b", { title: ids[row] }, ids[row]),
    make("span", { class: "value", title: name }, text),
    make("small", {}, [...whose(row), chanceText(row)].filter(Boolean).join(" · ")),
    bars(row, by && !by.second ? by.first.name : state.measure));
}
function drawList() {
  layOutList();
  const by = sorting();
  const name = by ? by.name : state.measure;
  const rows = shown.length === about.rows ? `${many(about.rows)} row${about.rows === 1 ? "" : "s"}` : `${many(shown.length)} of ${many(about.rows)} rows`;
  const looking = search.done < 1 ? `; searched ${Math.round(search.done * 100)} %` : "";
  $("found").textContent = `${rows}${looking}${name ? `; the numbers are ${name}` : ""}`;
}
