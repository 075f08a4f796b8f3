import compiled from '../compiled-schemas.js';
import makeApp from './app.ts';
import { logger } from './logger.ts';

/** The build compiles the schemas, because workers may not generate code. */
export default makeApp({ compiled, loggerInstance: logger });
