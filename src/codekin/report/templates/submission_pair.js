/* A pair: both programs side by side, with the regions that match in linked colours. */

const KINDS = ["starter", "common", "evidence"];
const MOST_ROWS = 6000; // lines of a file; a browser takes seconds over more
const pieceOf = new Map(); // of data, once it was asked for
let opened = null; // the pair that is shown: its number, its regions, its panes, and what is scrolled by the page
let together = true;

function piece(id) {
  if (!pieceOf.has(id)) pieceOf.set(id, inflateJson(id));
  return pieceOf.get(id);
}
const colourOf = (region) => `of-${(region - 1) % about.colours}`;

/* One program */
function markedRows(file, marks) {
  const spans = [];
  for (let i = 0; i < marks.length; i += 4) spans.push(marks[i], marks[i + 1], i + 1);
  const end = upTo(file.text, MOST_ROWS), list = [];
  let row = make("span", { class: "row" });
  for (const [text, mark, kind] of pieces(file.text.slice(0, end), before(spans, end), before(spread(file.ink), end))) {
    if (text === "\n") {
      list.push(row);
      row = make("span", { class: "row" });
    } else if (!mark || kind === "c") row.append(...inked(text, kind));
    else {
      const region = marks[mark + 1], what = KINDS[marks[mark + 2]];
      row.append(make("mark", { class: region ? `${what} ${colourOf(region)}` : what, "data-region": region || null, title: TITLES[what] }, inked(text, kind)));
      if (what === "evidence") row.classList.add("in", colourOf(region));
    }
  }
  if (row.firstChild) list.push(row);
  if (end < file.text.length) list.push(make("p", { class: "empty" }, `The first ${many(MOST_ROWS)} lines are shown.`));
  return list;
}
const TITLES = { starter: "starter code", common: "most other students have this, too", evidence: null };
// What is coloured is what is printed; a score counts what is rare in the class.
function shareText([coloured, hatched, code]) {
  return `${many(coloured)} of ${many(code)} lines coloured (${percent(code ? coloured / code : 0)})${hatched ? `, ${many(hatched)} hatched` : ""}`;
}
function programPane(side, name, lines, files, marks) {
  const several = files.length > 1;
  const listing = make("div", { class: "listing", tabindex: "0", role: "region", "aria-label": `The program of ${name}`, "data-side": side },
    files.map((file, i) => [
      several ? make("h5", {}, file.name) : null,
      make("div", { class: "code" }, file.text ? markedRows(file, marks[i]) : make("p", { class: "empty" }, "The file is empty.")),
    ]));
  const languages = [...new Set(files.map((file) => file.language))].join(", ");
  const what = [several ? `${files.length} files` : files[0] && files[0].name, languages, shareText(lines)];
  return make("section", { class: "pane" }, make("h4", {}, make("b", {}, name), make("span", {}, what.filter(Boolean).join(" · "))), listing);
}

/* Regions: a click on one shows its other side. */
const marksOf = (listing, region) => [...listing.querySelectorAll(`mark[data-region="${region}"]`)];
function choose(region) {
  for (const mark of $("pair").querySelectorAll("mark.now")) mark.classList.remove("now");
  for (const listing of opened.listings) for (const mark of marksOf(listing, region)) mark.classList.add("now");
  for (const button of $("pair").querySelectorAll(".blocks button")) button.setAttribute("aria-pressed", String(Number(button.dataset.region) === region));
  opened.region = region;
}
const topIn = (listing, node) => node.getBoundingClientRect().top - listing.getBoundingClientRect().top + listing.scrollTop;
function scrollListing(listing, top) {
  opened.quiet.set(listing, performance.now());
  listing.scrollTop = top;
}
// The other side of what was clicked comes to the same height.
function follow(mark) {
  const region = Number(mark.dataset.region), here = mark.closest(".listing");
  const there = opened.listings.find((one) => one !== here), mine = marksOf(here, region), theirs = marksOf(there, region);
  choose(region);
  if (!theirs.length) return;
  const part = mine.length > 1 ? mine.indexOf(mark) / (mine.length - 1) : 0;
  const target = theirs[Math.round(part * (theirs.length - 1))];
  scrollListing(there, topIn(there, target) - (topIn(here, mark) - here.scrollTop));
}
function showRegion(region) {
  choose(region);
  for (const listing of opened.listings) {
    const [first] = marksOf(listing, region);
    if (first) {
      scrollListing(listing, topIn(listing, first) - listing.clientHeight / 4);
      listing.scrollLeft = 0;
    }
  }
}
/* What is a third down in one listing comes to the same height in the other. */
function measure() {
  opened.anchors = opened.regions.map((_, i) => opened.listings.map((listing) => {
    const marks = marksOf(listing, i + 1);
    return marks.length ? [topIn(listing, marks[0]), topIn(listing, marks[marks.length - 1]) + marks[marks.length - 1].offsetHeight] : null;
  })).filter((both) => both[0] && both[1]);
}
function scrolled(event) {
  const here = event.target;
  if (!together || !opened || performance.now() - (opened.quiet.get(here) ?? -1e9) < 150) return;
  const side = opened.listings.indexOf(here), there = opened.listings[1 - side], room = here.clientHeight / 3;
  const at = here.scrollTop + room;
  const away = ([low, high]) => at < low ? low - at : at > high ? at - high : 0;
  let best = null;
  for (const both of opened.anchors) if (!best || away(both[side]) < away(best[side])) best = both;
  let aim = at;
  if (best) {
    const [low, high] = best[side], [from, to] = best[1 - side];
    aim = at < low ? from - (low - at) : at > high ? to + (at - high) : from + (at - low) / Math.max(1, high - low) * (to - from);
  }
  scrollListing(there, aim - room);
}

/* The view */
function regionButtons(regions) {
  const evidence = regions.filter(([kind]) => kind === "evidence").length;
  if (!regions.length) return make("div", { class: "blocks" }, make("span", {}, "No statements in a row match."));
  return make("div", { class: "blocks" },
    make("span", {}, evidence ? "Matched:" : "What matches is common in this class:"),
    regions.map(([kind, share, others, statements, a, b, c, d], i) => make("button", {
      type: "button", class: `${kind} ${colourOf(i + 1)}`, "data-region": i + 1, "aria-pressed": "false",
      title: `${statements} statement${statements === 1 ? "" : "s"}; ${percent(others)} of the other students have what is shared, on average`,
      on: { click: () => showRegion(i + 1) },
    }, `${a === b ? a : `${a}–${b}`} / ${c === d ? c : `${c}–${d}`}`, make("small", {}, kind === "evidence" ? percent(share) : "common"))));
}
function featureList(features) {
  return make("details", { class: "shared" }, make("summary", {}, "What both programs do: the rarest things they share"),
    make("div", { class: "scroll" }, make("table", { class: "plain" },
      make("thead", {}, make("tr", {}, ["shared", "of the shared weight", "students who have it"].map((head) => make("th", { scope: "col" }, head)))),
      make("tbody", {}, features.map(([name, share, students]) => make("tr", {}, make("td", {}, name), make("td", {}, percent(share)), make("td", {}, `${many(students)} of ${many(about.students)}`)))))));
}
function told(number) {
  const [score, , , unusual] = about.numbers[number];
  return make("p", { class: "told" }, "score ", make("b", {}, score.toFixed(2)),
    unusual === null ? null : [", unusual ", make("b", {}, unusual.toFixed(1).replace("-", "−"))],
    about.suspicious[number] ? [" ", make("span", { class: "alarm" }, "suspicious")] : null,
    about.files[number] ? [", most alike files ", make("b", {}, about.files[number])] : null,
    ". In a score, code counts little if many in the class have it. It is not a proof: read both programs.");
}
function stepButtons(number) {
  const order = listed(), at = order.indexOf(number), around = [order[at - 1], order[at + 1]];
  const step = (label, to, key) => make("button", { type: "button", class: key, disabled: to === undefined, on: { click: () => { location.hash = `pair-${to}`; } } }, label);
  return make("div", { class: "steps" },
    make("span", {}, at < 0 ? "" : `${at + 1} of ${order.length}`), step("← Previous", at < 0 ? order[0] : around[0], "previous"), step("Next →", at < 0 ? order[0] : around[1], "next"),
    make("button", { type: "button", class: "close", on: { click: close } }, "Close"));
}
async function showPair(number) {
  const dialog = $("pair"), [first, second] = about.pairs[number], programs = about.programs[number];
  const heading = make("header", {},
    make("h2", { id: "pair-title" }, first, make("span", { class: "and" }, " and "), second), told(number), stepButtons(number));
  let content = [make("p", { class: "told" }, "The code of this pair is not in this page, which has too much of it; compare fewer students.")];
  let panes = [], regions = [];
  if (programs) {
    const [data, ...files] = await Promise.all([piece(`pair-data-${number}`), ...programs.map((one) => piece(`code-${one}`))]);
    regions = data.regions;
    panes = [first, second].map((name, side) => programPane(side, name, data.lines[side], files[side], data.marks[side]));
    content = [
      regionButtons(regions),
      make("div", { class: "codes" }, panes),
      make("div", { class: "under" },
        make("span", {}, make("i", { class: "swatch evidence" }), "same colour: matched; click to see the other side"),
        make("span", {}, make("i", { class: "swatch common" }), "common: most others have it, too"),
        data.starter ? make("span", {}, make("span", { class: "given" }, "faint"), ": starter code") : null,
        make("label", {}, make("input", { type: "checkbox", id: "together", checked: together, on: { change: (event) => { together = event.target.checked; } } }), "scroll together"),
        make("span", { class: "keyed" }, make("kbd", {}, "←"), " ", make("kbd", {}, "→"), " pairs, ", make("kbd", {}, "n"), " next block")),
      data.beyond.length ? make("p", { class: "told" }, `Not compared, since too many statements come before: ${data.beyond.join(", ")}`) : null,
      featureList(data.features),
    ].filter(Boolean);
  }
  if (location.hash !== `#pair-${number}`) return; // another one was asked for
  dialog.replaceChildren(heading, ...content);
  if (!dialog.open) dialog.showModal();
  opened = { number, regions, region: 0, listings: panes.map((pane) => pane.querySelector(".listing")), anchors: [], quiet: new Map() };
  measure();
  for (const listing of opened.listings) {
    listing.addEventListener("scroll", scrolled);
    listing.addEventListener("click", (event) => { const mark = event.target.closest("mark[data-region]"); if (mark) follow(mark); });
  }
  if (regions.length && regions[0][0] === "evidence") showRegion(1);
  document.title = `${first} and ${second} · codekin`;
}
const title = document.title;
function close() {
  if ($("pair").open) $("pair").close();
}
function closed() {
  opened = null;
  document.title = title;
  $("pair").replaceChildren();
  if (location.hash.startsWith("#pair-")) history.replaceState(null, "", location.pathname + location.search);
}
function open() {
  const found = /^#pair-(\d+)$/.exec(location.hash);
  if (found && Number(found[1]) < about.pairs.length) showPair(Number(found[1]));
  else close();
}
function key(event) {
  if (!opened || event.ctrlKey || event.metaKey || event.altKey) return;
  const listing = event.target.closest(".listing"); // in which arrows scroll, if it is too wide
  if (event.key.startsWith("Arrow") && listing && listing.scrollWidth > listing.clientWidth) return;
  const step = { ArrowLeft: ".previous", ArrowRight: ".next" }[event.key];
  if (step) {
    const button = $("pair").querySelector(step);
    if (!button.disabled) button.click();
  } else if (event.key === "n" && opened.regions.length) showRegion(opened.region % opened.regions.length + 1);
  else return;
  event.preventDefault();
}

setTheme();
readyTable();
list();
$("theme").hidden = $("controls").hidden = false;
$("pair").addEventListener("close", closed);
$("pair").addEventListener("click", (event) => { if (event.target === $("pair")) close(); });
addEventListener("keydown", key);
addEventListener("hashchange", open);
addEventListener("resize", () => { if (opened) measure(); });
if (about.case && !location.hash) history.replaceState(null, "", "#pair-0");
open();
document.documentElement.dataset.ready = "1";
