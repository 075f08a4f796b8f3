/** Replaces close-on-signals.ts in the build for workers, because workers get no signals. */
import { RuntimeUnsupported } from '../../types/errors.ts';

/** @throws {RuntimeUnsupported} */
export function closeOnSignals(): never {
  throw new RuntimeUnsupported('closeOnSignals', 'Leave it out: the runtime ends workers');
}
