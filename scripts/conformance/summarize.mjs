// Counts outcomes: by area of the framework, for the files of the ratchet, and for the rest of the suite.
import { areaNames, areaOf } from './areas.mjs';

/** Rows `{ area, files, passed, reachable, total }`, without empty ones, in the order of the report. */
export function summarizeByArea(outcomes, totals) {
  const rows = areaNames.map((area) => ({
    area,
    ...summarize(outcomes, totals, (file) => areaOf(file) === area),
  }));
  return rows.filter(({ files }) => files > 0);
}

/** The sum over the files that `isChosen` accepts; without it, over all files. */
export function summarize(outcomes, totals, isChosen = () => true) {
  const files = Object.keys(totals).filter(isChosen);
  const chosen = outcomes.filter(({ file }) => isChosen(file));
  return {
    files: files.length,
    passed: chosen.filter(({ status }) => status === 'pass').length,
    reachable: chosen.length,
    total: files.reduce((sum, file) => sum + totals[file], 0),
  };
}
