/* The matrix, the tree of its files, and the groups that a threshold makes. */

const about = JSON.parse($("about").textContent);
const count = about.files;
let names = [], brief = [], order = null; // order: the file at each place of the heatmap
let place = null; // of each file in the heatmap
let cells = {}; // values, and lower and upper where some scores are not exact
let joins = []; // of each step the two it joins, their mean similarity, and where its files stand

async function load() {
  const floats = async (id) => square(new Float32Array(await inflate(id)));
  const wanted = about.inexact ? ["values", "lower", "upper"] : ["values"];
  const [list, short, sequence, steps, ...read] = await Promise.all([inflateJson("names"), inflateJson("brief"), inflate("order"), inflate("joins"), ...wanted.map(floats)]);
  [names, brief, order] = [list, short, new Uint32Array(sequence)];
  wanted.forEach((name, i) => { cells[name] = read[i]; });
  place = new Uint32Array(count);
  order.forEach((file, at) => { place[file] = at; });
  readJoins(new Float64Array(steps));
}
// Of a symmetric matrix the half above the diagonal is in the file.
function square(numbers) {
  if (!about.symmetric) return numbers;
  const all = new Float32Array(count * count);
  let from = 0;
  for (let i = 0; i < count; i++) {
    all[i * count + i] = 1;
    for (let j = i + 1; j < count; j++) all[i * count + j] = all[j * count + i] = numbers[from++];
  }
  return all;
}
function readJoins(steps) {
  // Where a leaf or a join stands: its middle, and the first and the last of its places.
  const spots = Array.from(place, (at) => ({ middle: at + .5, first: at, last: at, similarity: 1, size: 1 }));
  for (let i = 0; i < steps.length; i += 3) {
    const one = spots[steps[i]], other = spots[steps[i + 1]];
    const made = {
      one, other, similarity: steps[i + 2], middle: (one.middle + other.middle) / 2,
      first: Math.min(one.first, other.first), last: Math.max(one.last, other.last), size: one.size + other.size,
    };
    spots.push(made);
    joins.push(made);
  }
}
const valueOf = (file, other) => cells.values[file * count + other];
const boundsOf = (file, other) => cells.lower ? [cells.lower[file * count + other], cells.upper[file * count + other]] : [valueOf(file, other), valueOf(file, other)];
const isLoose = (file, other) => { const [low, high] = boundsOf(file, other); return low !== high; };
const meanOf = (file, other) => (valueOf(file, other) + valueOf(other, file)) / 2;
const isCopy = (file, other) => about.copies[file] >= 0 && about.copies[file] === about.copies[other];
const shown = (x) => x.toFixed(4);

/* Groups of two files or more that are joined at a threshold, numbered as the command numbers them. */
function groupsAt(threshold) {
  const tops = new Set();
  for (const join of joins) {
    if (join.similarity < threshold - 1e-12) break;
    tops.delete(join.one);
    tops.delete(join.other);
    tops.add(join);
  }
  const groups = [...tops].map((join) => {
    const files = Array.from(order.subarray(join.first, join.last + 1));
    return { first: join.first, last: join.last, files, ...centre(files) };
  });
  groups.sort((a, b) => b.files.length - a.files.length || a.medoid - b.medoid);
  groups.forEach((group, i) => { group.number = i + 1; });
  return groups;
}
// The file that is most like all others of a group, the first of equals, and the mean over all pairs.
function centre(files) {
  let medoid = -1, best = -Infinity, sum = 0;
  for (const file of files) {
    let own = 0;
    for (const other of files) if (other !== file) own += meanOf(file, other);
    sum += own;
    if (own > best + 1e-6 || (Math.abs(own - best) <= 1e-6 && file < medoid)) [best, medoid] = [Math.max(own, best), file];
  }
  return { medoid, similarity: sum / (files.length * (files.length - 1)) };
}
