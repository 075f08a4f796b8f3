/** Declares the page with Swagger UI, from the package `swagger-ui-dist` of the application. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { OpenAPIError } from '../openapi-error.ts';
import type { Page } from './page.ts';
import { packageFile, textFile } from './page-file.ts';

const require = createRequire(import.meta.url);

const start = `const { url, ...configuration } = JSON.parse(document.getElementById('configuration').textContent);
SwaggerUIBundle({ ...configuration, url: new URL(url, location.href).href, dom_id: '#app' });
`;

/** The default would send the document to a validator on another host. */
const configuration = { validatorUrl: null, deepLinking: true };

/** @throws {OpenAPIError} if the package is not installed. */
export function swaggerPage(): Page {
  const { folder, version } = locate();
  const fromPackage = (name: string) => packageFile(name, join(folder, name), `swagger-ui-${version}`);
  return {
    styles: ['swagger-ui.css'],
    scripts: ['swagger-ui-bundle.js', 'start.js'],
    files: [fromPackage('swagger-ui.css'), fromPackage('swagger-ui-bundle.js'), textFile('start.js', start)],
    configuration,
  };
}

/** Finds the package next to this one, or in the application. */
function locate(): { folder: string; version: string } {
  try {
    const paths = [...(require.resolve.paths('swagger-ui-dist') ?? []), process.cwd()];
    const manifest = require.resolve('swagger-ui-dist/package.json', { paths });
    const { version } = require(manifest) as { version: string };
    return { folder: dirname(manifest), version };
  } catch (cause) {
    throw new OpenAPIError(
      'AMBIT_ERR_OPENAPI_PAGE',
      "docs.ui is 'swagger-ui', but the package swagger-ui-dist is not installed: npm install swagger-ui-dist",
      { cause },
    );
  }
}
