/** Reads the script of Scalar from a file of this package. `scripts/vendor.mjs` creates the file when the package is built. */
import { createReadStream, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { PageFile } from './page.ts';

/** Read from the disk for each request, so that it needs no memory. */
export const script: PageFile = {
  name: 'scalar.js',
  type: 'text/javascript; charset=utf-8',
  get etag() {
    return `"scalar-${statSync(locate()).size}"`;
  },
  open(acceptsGzip) {
    const packed = createReadStream(locate());
    if (acceptsGzip) return { body: packed, encoding: 'gzip' };
    return { body: pipeline(packed, createGunzip(), () => {}) };
  },
};

/** Located by the name of the package, because code in a bundle does not know its own folder. */
function locate(): string {
  const manifest = createRequire(import.meta.url).resolve('@ambit/openapi/package.json');
  return join(dirname(manifest), 'assets', 'scalar.js.gz');
}
