// Compares the times of functions in turns: short slices in rotating order, and the median of the ratios of all turns. If other
// work on the machine disturbs a slice, it changes one turn, not the result.

const sliceNs = 1_000_000;

// Uses a text as a socket write does: a string of concatenated pieces (a rope) must become flat. Reading a character flattens a
// rope, and takes almost no time for a text that is already flat. The sum is global, so that the optimizing compiler cannot
// remove the work as unused.
globalThis.benchmarkBuffer = 0;
function consume(text) {
  globalThis.benchmarkBuffer += text.charCodeAt(text.length >> 1);
}

function timeSlice(run, values, rounds) {
  const start = process.hrtime.bigint();
  for (let round = 0; round < rounds; round++) consume(run(values[round % values.length]));
  return Number(process.hrtime.bigint() - start) / rounds;
}

function calibrate(run, values) {
  let rounds = 1;
  while (timeSlice(run, values, rounds) * rounds < sliceNs / 4) rounds *= 2;
  return Math.max(values.length, Math.ceil(sliceNs / timeSlice(run, values, rounds)));
}

export function median(numbers) {
  const sorted = numbers.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Nanoseconds per call of each candidate, as one list per turn: `{ name: [ns, ns, …] }`. */
export function measureInTurns(candidates, values, turns) {
  const names = Object.keys(candidates);
  // Runs each long enough for the optimizing compiler to finish.
  for (const name of names) {
    const start = performance.now();
    while (performance.now() - start < 150) timeSlice(candidates[name], values, values.length);
  }
  const rounds = Object.fromEntries(names.map((name) => [name, calibrate(candidates[name], values)]));
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let turn = 0; turn < turns; turn++) {
    for (let step = 0; step < names.length; step++) {
      const name = names[(turn + step) % names.length];
      times[name].push(timeSlice(candidates[name], values, rounds[name]));
    }
  }
  return times;
}

/** How many times faster `name` is than `other`: the median of the ratios of all turns. */
export function ratio(times, name, other) {
  return median(times[name].map((ns, turn) => times[other][turn] / ns));
}

export function geometricMean(numbers) {
  return Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length);
}
