// Dolos on the files named on standard input, one per line: a CSV of all pairs and their scores.
// Usage: node dolos.mjs NODE_MODULES LANGUAGE < NAMES. The command line of Dolos is not in the registry;
// this calls the same library with its default options.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, language] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${modules}/`));
const { Dolos } = await import(pathToFileURL(require.resolve("@dodona/dolos-lib")).href);
const names = readFileSync(0, "utf8").split("\n").filter((name) => name);
const report = await new Dolos({ language }).analyzePaths(names);
console.log("file1,file2,score,containment");
for (const pair of report.allPairs()) {
  const shares = [pair.leftCovered / (pair.leftTotal || 1), pair.rightCovered / (pair.rightTotal || 1)];
  console.log([pair.leftFile.path, pair.rightFile.path, pair.similarity, Math.max(...shares)].join(","));
}
