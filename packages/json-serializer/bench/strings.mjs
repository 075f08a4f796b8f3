// Compares ways to write a single string, by length. Characters to escape are found by a loop, by a regular expression, by a
// regular expression that matches eight safe characters at a time, or in a copy, four bytes at a time
// (src/runtime/output-buffer.ts). The last way is JSON.stringify without a search. The thresholds in src/engine.ts come from this:
//   node packages/json-serializer/bench/strings.mjs
import { measureInTurns, median } from './measure.mjs';

const unsafe = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;
const safe = String.raw`[ !#-[\]-\ud7ff\ue000-\uffff]`;
const safeStart = new RegExp(
  `(?:${safe.repeat(8)})*(?:${safe.repeat(4)})?(?:${safe.repeat(2)})?${safe}?`,
  'y',
);

function needsEscapeByEights(text) {
  safeStart.lastIndex = 0;
  safeStart.test(text);
  return safeStart.lastIndex !== text.length;
}

function needsEscapeByLoop(text) {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 32 || code === 34 || code === 92 || (code >= 0xd800 && code <= 0xdfff)) return true;
  }
  return false;
}

const copy = Buffer.alloc(65_536);
const copyView = new DataView(copy.buffer, copy.byteOffset, copy.length);

function needsEscapeByCopy(text) {
  for (let index = 0; index < text.length; index += 16_384) {
    const part = text.slice(index, index + 16_384);
    if (copy.write(part) !== part.length || needsEscapeCopy(part.length)) return true;
  }
  return false;
}

function needsEscapeCopy(end) {
  let marks = 0;
  let index = 0;
  for (; index + 4 <= end; index += 4) {
    const four = copyView.getInt32(index, true);
    marks |= (four - 0x20202020) | ((four ^ 0x22222222) - 0x01010101) | ((four ^ 0x5c5c5c5c) - 0x01010101);
  }
  let needsEscape = (marks & 0x80808080) !== 0;
  for (; index < end; index++) needsEscape ||= copy[index] < 32 || copy[index] === 34 || copy[index] === 92;
  return needsEscape;
}

const candidates = {
  native: JSON.stringify,
  loop: (text) => (needsEscapeByLoop(text) ? JSON.stringify(text) : `"${text}"`),
  search: (text) => (unsafe.test(text) ? JSON.stringify(text) : `"${text}"`),
  copy: (text) => (needsEscapeByCopy(text) ? JSON.stringify(text) : `"${text}"`),
  eights: (text) => (needsEscapeByEights(text) ? JSON.stringify(text) : `"${text}"`),
};

for (const length of [4, 10, 16, 24, 32, 48, 80, 160, 400, 1000, 4000, 20_000, 100_000]) {
  const values = Array.from({ length: 32 }, (_, index) =>
    JSON.parse(JSON.stringify('abcdefg '.repeat(length).slice(index % 8, length + (index % 8)))),
  );
  const times = measureInTurns(candidates, values, 30);
  const figures = Object.entries(times).map(([name, ns]) => `${name} ${median(ns).toFixed(0)} ns`);
  console.log(String(length).padStart(7), 'characters  ', figures.join('  '));
}
