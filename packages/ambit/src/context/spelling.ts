/** Owns what is said of a name that looks misspelt where any name may stand, since plugins and libraries have names of their own. */
import type { Conventions } from '../contract/conventions.ts';
import { UnknownOption } from '../contract/errors.ts';
import { warnMisspelt } from '../contract/warnings.ts';
import { nearestName } from '../shared/nearest-name.ts';

/** The names that there are in one place. */
export interface KnownNames {
  readonly known: readonly string[];
  /** Whether a name is somebody else's, however near it is to one of ours. */
  readonly isFree?: (name: string, value: unknown, nearest: string) => boolean;
}

/** @throws {UnknownOption} for a name that looks misspelt, unless the application follows a convention by which it is warned. */
export function checkSpelling(
  given: object,
  names: KnownNames,
  owner: string,
  misspelling: Conventions['misspelling'],
): void {
  for (const { name, nearest } of findMisspelt(given, names)) {
    const error = new UnknownOption(name, owner, nearest);
    if (misspelling === 'refused') throw error;
    warnMisspelt(error.message);
  }
}

function findMisspelt(
  given: object,
  { known, isFree }: KnownNames,
): readonly { name: string; nearest: string }[] {
  const values = given as Readonly<Record<string, unknown>>;
  const found: { name: string; nearest: string }[] = [];
  for (const name of Object.keys(values)) {
    if (values[name] === undefined || known.includes(name)) continue;
    const nearest = nearestName(name, known);
    if (nearest === undefined || values[nearest] !== undefined || differsByWord(name, nearest)) continue;
    if (isFree?.(name, values[name], nearest) !== true) found.push({ name, nearest });
  }
  return found;
}

/** Whether a whole word makes the difference, as between `wsHandler` and `handler`: no slip adds one. */
function differsByWord(a: string, b: string): boolean {
  if (a.length === b.length) return false;
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  const asLastWord = shorter.charAt(0).toUpperCase() + shorter.slice(1);
  if (longer.endsWith(asLastWord)) return true;
  return longer.startsWith(shorter) && /[A-Z\d]/.test(longer.charAt(shorter.length));
}
