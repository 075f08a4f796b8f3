/** Replaces inject.ts in the build for runtimes without `node:http`. */
import { RuntimeUnsupported } from '../types/errors.ts';

export function injectInto(): never {
  throw new RuntimeUnsupported('inject', "Use `app.fetch(new Request('http://localhost/'))`");
}
