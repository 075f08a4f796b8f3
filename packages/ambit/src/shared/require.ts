/**
 * Owns `require`, for what is loaded late, or by a name that is only known then. In the build, which is CommonJS, it is that of the
 * module: tools that bundle an application see what it loads.
 */
import { createRequire } from 'node:module';

export const require: NodeJS.Require = createRequire(import.meta.url);
