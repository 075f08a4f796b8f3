/** Cuts bytes into pieces; random cuts come from a seed, so that a failure can be repeated. */

/** A small generator of numbers below a limit (mulberry32). */
export function makeRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Which share of the places the tests try, as of the inputs of properties: `npm test` a tenth, CI a quarter, the nightly run all. */
const share = Number(process.env.PROPERTY_SHARE ?? 0.1);

/** Cut in two at each place, or at a share of the places that differs from case to case. */
export function splitAtEach(bytes: Buffer): Buffer[][] {
  const step = Math.round(1 / share);
  const places = Array.from({ length: bytes.length - 1 }, (_, i) => i + 1);
  return places
    .filter((at) => (at + bytes.length) % step === 0)
    .map((at) => [bytes.subarray(0, at), bytes.subarray(at)]);
}

export function splitIntoBytes(bytes: Buffer): Buffer[] {
  return Array.from({ length: bytes.length }, (_, i) => bytes.subarray(i, i + 1));
}

export function splitAtRandom(bytes: Buffer, random: (limit: number) => number): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + 1 + random(20));
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return pieces;
}

/** Whole, cut in two at each place, byte by byte, and twice in random pieces. */
export function splitInEachWay(bytes: Buffer, seed: number): Buffer[][] {
  const random = makeRandom(seed);
  const atRandom = [splitAtRandom(bytes, random), splitAtRandom(bytes, random)];
  return [[bytes], ...splitAtEach(bytes), splitIntoBytes(bytes), ...atRandom];
}
