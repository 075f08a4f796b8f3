/** Hides the warnings of Node about what Ambit uses on purpose: removing types, and the SQLite of the template `service`. */

const expected = /^(Type Stripping|SQLite) is an experimental feature/;

/** Hides them from now on in this process. */
export function hideExpectedWarnings(): void {
  const emitWarning = process.emitWarning as (...args: unknown[]) => void;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (rest[0] === 'ExperimentalWarning' && expected.test(String(warning))) return;
    emitWarning.call(process, warning, ...rest);
  };
}
