// The statistics: the order of measurements, and the way from figures of rounds to ratios between two subjects.

/** @param {readonly number[]} values At least one. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The smallest of the values that at least `share` of them do not exceed (nearest rank).
 *
 * @param {readonly number[]} values At least one.
 * @param {number} share Above 0, at most 1.
 */
export function quantile(values, share) {
  return Float64Array.from(values).sort()[Math.ceil(values.length * share) - 1];
}

/**
 * Compares two subjects round by round. If the machine is slow for a while, this affects both sides of a ratio.
 *
 * @param {readonly number[]} subject
 * @param {readonly number[]} baseline Same rounds, same order.
 * @returns `lower` and `upper` are the quartiles.
 */
export function compareRounds(subject, baseline) {
  const ratios = subject.map((value, round) => value / baseline[round]);
  return {
    median: median(ratios),
    min: Math.min(...ratios),
    lower: quantile(ratios, 0.25),
    upper: quantile(ratios, 0.75),
    max: Math.max(...ratios),
  };
}

/**
 * Measures subjects in turns, and collects the figures of each. What failed once is not measured again. An error names the subject.
 * Every second round has the opposite order, because a subject changes caches and clock rates for the next one: after two rounds, each
 * one has followed and preceded its neighbours, and a machine that becomes slower has affected all in the same way.
 *
 * @param {import('./report.mjs').Subject[]} subjects
 * @param {number} rounds
 * @param {(place: number, round: number) => Promise<Record<string, number> & { failure?: string }>} measure
 */
export async function measureInTurns(subjects, rounds, measure) {
  const places = [...subjects.keys()];
  for (let round = 0; round < rounds; round++) {
    for (const place of round % 2 === 0 ? places : places.toReversed()) {
      const subject = subjects[place];
      if (subject.failure !== undefined) continue;
      const { failure, ...sample } = await measure(place, round).catch((error) => {
        throw new Error(`${subject.label}: ${error.message}`, { cause: error });
      });
      subject.failure = failure;
      for (const [name, value] of Object.entries(sample))
        subject.figures[name] = [...(subject.figures[name] ?? []), value];
    }
  }
}
