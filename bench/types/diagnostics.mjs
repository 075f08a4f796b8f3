/**
 * Reads the compiler's report about a program (`tsc --extendedDiagnostics`).
 *
 * @typedef {{ checkSeconds: number, totalSeconds: number, instantiations: number, memoryMb: number }} Check
 */

const errorLine = /\berror (TS\d+: .*)/;

/** The first error of a program; undefined if there is none. */
export function findError(/** @type {string} */ output) {
  return errorLine.exec(output)?.[1];
}

/** @returns {Check} */
export function readDiagnostics(/** @type {string} */ output) {
  const read = (/** @type {string} */ name) => {
    const figure = new RegExp(`^${name}:\\s+([\\d.]+)(?:K|s)?\\s*$`, 'm').exec(output)?.[1];
    if (figure === undefined) throw new Error(`the compiler does not report '${name}':\n${output}`);
    return Number(figure);
  };
  return {
    checkSeconds: read('Check time'),
    totalSeconds: read('Total time'),
    instantiations: read('Instantiations'),
    memoryMb: read('Memory used') / 1024,
  };
}
