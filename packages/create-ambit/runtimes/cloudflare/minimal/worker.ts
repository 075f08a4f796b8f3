import makeApp from './app.ts';
import compiled from './compiled-schemas.js';

/** The build compiles the schemas, because workers may not generate code. */
export default makeApp({ compiled });
