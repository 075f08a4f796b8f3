/** Finds misspelled names of options where other names are allowed, because plugins and libraries define options of their own. */

import { nearestName } from '../../shared/nearest-name.ts';
import { UnknownOption } from '../../types/errors.ts';
import { type Checks, reportMistake } from './check-options.ts';

/** The names that an object is expected to have. */
export interface KnownNames {
  readonly known: readonly string[];
  /** Whether a name is accepted although it is similar to a known one. */
  readonly isAllowed?: (name: string, value: unknown, nearest: string) => boolean;
}

/** @throws {UnknownOption} for a name that looks misspelled; where declarations are not checked, it warns instead. */
export function checkSpelling(options: object, names: KnownNames, owner: string, checks: Checks): void {
  for (const { name, nearest } of findMisspelled(options, names))
    reportMistake(checks, new UnknownOption(name, owner, nearest));
}

function findMisspelled(
  options: object,
  { known, isAllowed }: KnownNames,
): readonly { name: string; nearest: string }[] {
  const values = options as Readonly<Record<string, unknown>>;
  const misspelled: { name: string; nearest: string }[] = [];
  for (const name of Object.keys(values)) {
    if (values[name] === undefined || known.includes(name)) continue;
    const nearest = nearestName(name, known);
    if (nearest === undefined || values[nearest] !== undefined || differsByWord(name, nearest)) continue;
    if (isAllowed?.(name, values[name], nearest) !== true) misspelled.push({ name, nearest });
  }
  return misspelled;
}

/** Whether two names differ by a whole word, such as `wsHandler` and `handler`: that is not a spelling mistake. */
function differsByWord(a: string, b: string): boolean {
  if (a.length === b.length) return false;
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  const asLastWord = shorter.charAt(0).toUpperCase() + shorter.slice(1);
  if (longer.endsWith(asLastWord)) return true;
  return longer.startsWith(shorter) && /[A-Z\d]/.test(longer.charAt(shorter.length));
}
