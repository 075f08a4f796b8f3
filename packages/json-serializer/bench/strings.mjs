// How a single string is best written, by length: a loop that looks for characters to escape, a regular expression that
// does, one that takes eight harmless ones at a time, or JSON.stringify at once. The thresholds in src/engine.ts come from this:
//   node packages/json-serializer/bench/strings.mjs
import { measureInTurns, median } from './measure.mjs';

const unsafe = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;
const safe = String.raw`[ !#-[\]-\ud7ff\ue000-\uffff]`;
const safeStart = new RegExp(
  `(?:${safe.repeat(8)})*(?:${safe.repeat(4)})?(?:${safe.repeat(2)})?${safe}?`,
  'y',
);

function isDirtyByEights(text) {
  safeStart.lastIndex = 0;
  safeStart.test(text);
  return safeStart.lastIndex !== text.length;
}

function isDirtyByLoop(text) {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 32 || code === 34 || code === 92 || (code >= 0xd800 && code <= 0xdfff)) return true;
  }
  return false;
}

const candidates = {
  native: JSON.stringify,
  loop: (text) => (isDirtyByLoop(text) ? JSON.stringify(text) : `"${text}"`),
  search: (text) => (unsafe.test(text) ? JSON.stringify(text) : `"${text}"`),
  eights: (text) => (isDirtyByEights(text) ? JSON.stringify(text) : `"${text}"`),
};

for (const length of [4, 10, 16, 24, 32, 48, 80, 160, 400, 1000, 4000, 20_000, 100_000]) {
  const values = Array.from({ length: 32 }, (_, index) =>
    JSON.parse(JSON.stringify('abcdefg '.repeat(length).slice(index % 8, length + (index % 8)))),
  );
  const times = measureInTurns(candidates, values, 30);
  const figures = Object.entries(times).map(([name, ns]) => `${name} ${median(ns).toFixed(0)} ns`);
  console.log(String(length).padStart(7), 'characters  ', figures.join('  '));
}
