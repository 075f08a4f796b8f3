// Reads and writes the lists of the ratchet: the tests that may fail and why, and the reachable tests outside its
// files.
import { readFileSync, writeFileSync } from 'node:fs';
import { npm } from '../steps.mjs';

const folder = 'scripts/conformance';
const onPurposePath = `${folder}/on-purpose.json`;
const openPath = `${folder}/open.json`;
const restPath = `${folder}/reachable-rest.json`;

export const listPaths = { onPurpose: onPurposePath, open: openPath, rest: restPath };

/** Entries `{ file, test, reason }` and `{ file, test }`. */
export function readLists() {
  return { onPurpose: readJson(onPurposePath), open: toEntries(readJson(openPath)) };
}

/** Names of the tests that another implementation can pass, by file, outside the ratchet's files. */
export function readRest() {
  return readJson(restPath);
}

export function writeOpen(entries) {
  writeJson(openPath, groupByFile(entries));
}

export function writeRest(names) {
  writeJson(restPath, names);
}

export function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function toEntries(names) {
  return Object.entries(names).flatMap(([file, tests]) => tests.map((test) => ({ file, test })));
}

function groupByFile(entries) {
  const names = {};
  for (const { file, test } of entries) {
    names[file] ??= [];
    names[file].push(test);
  }
  return names;
}

function writeJson(path, value) {
  writeFileSync(path, JSON.stringify(value));
  npm(['run', '--silent', 'format', '--', path]);
}
