import makeApp from './app.ts';
import compiled from './compiled-schemas.js';

/** The compiled schemas are those of the build: workers may not generate code. */
export default makeApp({ compiled });
