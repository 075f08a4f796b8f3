/** The files of pages on the disk: the script of Scalar in this package, and the page with Swagger UI of the application's package. */
import { createReadStream, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { OpenAPIError } from '../openapi-error.ts';
import { type Page, type PageFile, scriptType, startFile } from './page.ts';

const require = createRequire(import.meta.url);

/** Read from the disk for each request, so that it needs no memory. `scripts/vendor.mjs` creates the file when the package is built. */
export const scalarScript: PageFile = {
  name: 'scalar.js',
  type: scriptType,
  get etag() {
    return `"scalar-${statSync(scalarPath()).size}"`;
  },
  open(acceptsGzip) {
    const packed = createReadStream(scalarPath());
    if (acceptsGzip) return { body: packed, encoding: 'gzip' };
    return { body: pipeline(packed, createGunzip(), () => {}) };
  },
};

/** Located by the name of the package, because code in a bundle does not know its own folder. */
function scalarPath(): string {
  return join(dirname(require.resolve('@ambit/openapi/package.json')), 'assets', 'scalar.js.gz');
}

/** @throws {OpenAPIError} if the package `swagger-ui-dist` is not installed. */
export function swaggerPage(): Page {
  const { folder, version } = locateSwagger();
  const fromPackage = (name: string, type: string): PageFile => ({
    name,
    type,
    get etag() {
      return `"swagger-ui-${version}-${statSync(join(folder, name)).size}"`;
    },
    open: () => ({ body: createReadStream(join(folder, name)) }),
  });
  return {
    styles: ['swagger-ui.css'],
    scripts: ['swagger-ui-bundle.js', 'start.js'],
    files: [
      fromPackage('swagger-ui.css', 'text/css; charset=utf-8'),
      fromPackage('swagger-ui-bundle.js', scriptType),
      startFile(startSwagger),
    ],
    // The default would send the document to a validator on another host.
    configuration: { validatorUrl: null, deepLinking: true },
  };
}

const startSwagger = `const { url, ...configuration } = JSON.parse(document.getElementById('configuration').textContent);
SwaggerUIBundle({ ...configuration, url: new URL(url, location.href).href, dom_id: '#app' });
`;

/** Finds the package next to this one, or in the application. */
function locateSwagger(): { folder: string; version: string } {
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
