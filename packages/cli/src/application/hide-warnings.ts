/** Hides Node's warnings about experimental features that Ambit uses on purpose: removing types, and SQLite in the template `service`. */

const expected = /^(Type Stripping|SQLite) is an experimental feature/;

/** Hides these warnings in this process from now on. */
export function hideExpectedWarnings(): void {
  const emitWarning = process.emitWarning as (...args: unknown[]) => void;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (rest[0] === 'ExperimentalWarning' && expected.test(String(warning))) return;
    emitWarning.call(process, warning, ...rest);
  };
}
