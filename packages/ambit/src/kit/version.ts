/** The version of this package, as its package.json has it. */
import { createRequire } from 'node:module';

// By name: where this module stands below the package is another matter in a build.
const manifest = createRequire(import.meta.url)('ambit/package.json') as { version: string };
export const version: string = manifest.version;
