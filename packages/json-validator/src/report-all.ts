/** Reports all problems of a value, and not only the first, without changing which values are valid, what they become, or what comes first. */
import { createContext, Script } from 'node:vm';
import { copyValue } from './conversion.ts';
import type { ValidationProblem, Validator, ValidatorOptions } from './options.ts';

/** A value of a hostile client may have any number of problems, and an expression may take any time to find one. */
const mostProblems = 50;
const searchTimeoutMs = 100;

const searching = createContext({ search: undefined as (() => unknown) | undefined });
const searchScript = new Script('search()');

/** Whether the problems that `allErrors` finds are the same. Functions of the application might do something when they run twice. */
export function canReportAll({
  mode,
  plugins = [],
  onCreate,
  customOptions = {},
}: ValidatorOptions): boolean {
  const { allErrors, keywords, formats } = customOptions;
  const decisive = [mode, onCreate, allErrors, keywords, formats];
  return plugins.length === 0 && decisive.every((option) => option === undefined);
}

/**
 * Returns a function that tells all problems of a value in which a validator has found one: it searches a copy of the value for the others,
 * for a limited time.
 *
 * @param validator Stops at its first problem.
 * @param compileAll Returns one that does not stop. It is called with the first invalid value.
 */
export function problemsFinder(
  validator: Validator,
  compileAll: () => Validator,
): (data: unknown) => ValidationProblem[] {
  let all: Validator | undefined;
  return (data) => {
    const first = validator.errors ?? [];
    try {
      all ??= compileAll();
      return addOthers(first, findAll(all, data));
    } catch {
      // It took too long, or the value cannot be copied: the first problem is known.
      return first;
    }
  };
}

/** @throws {Error} after the time limit. */
function findAll(all: Validator, data: unknown): readonly ValidationProblem[] {
  const copy = { data: copyValue(data) };
  searching.search = () => all(copy.data, { parentData: copy, parentDataProperty: 'data' } as never);
  try {
    searchScript.runInContext(searching, { timeout: searchTimeoutMs });
  } finally {
    searching.search = undefined;
  }
  return all.errors ?? [];
}

function addOthers(first: ValidationProblem[], found: readonly ValidationProblem[]): ValidationProblem[] {
  const textOf = ({ instancePath, message }: ValidationProblem): string => `${instancePath} ${message}`;
  const known = new Set(first.map(textOf));
  const others = found.filter((problem) => known.size !== known.add(textOf(problem)).size);
  return [...first, ...others.slice(0, Math.max(0, mostProblems - first.length))];
}
