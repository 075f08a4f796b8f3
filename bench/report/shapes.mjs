// Computes the figures of the serializers: one summary for each shape.
import { median, summarize } from '../statistics.mjs';

/**
 * Summarizes the rounds for each shape: the time divided by that of the others, which is below 1 if ours is faster.
 *
 * @param {import('../serializers.mjs').SerializerRound[]} rounds
 */
export function summarizeShapes(rounds) {
  return rounds[0].writing.results.map(({ name }, i) => {
    const writing = rounds.map((round) => round.writing.results[i]);
    const compiling = rounds.map((round) => round.compiling.results[i]);
    return {
      name,
      ns: median(writing.map(({ ns }) => ns)),
      native: summarize(writing.map(({ overNative }) => 1 / overNative)),
      peer: summarize(writing.map(({ overPeer }) => 1 / overPeer)),
      compile: summarize(compiling.map(({ compile }) => compile)),
      compileAndWrite: summarize(compiling.map(({ compileAndWrite }) => compileAndWrite)),
    };
  });
}
