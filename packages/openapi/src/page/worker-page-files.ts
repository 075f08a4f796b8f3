/** Replaces page-files.ts on workers. They have no disk, so the script of Scalar is a part of the bundle, and Swagger UI is not available. */
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { OpenAPIError } from '../openapi-error.ts';
import { type PageFile, scriptType } from './page.ts';

/** The build replaces this name with the content of the file, in base64. */
declare const packedScript: string;

let bytes: Buffer | undefined;
const packed = (): Buffer => (bytes ??= Buffer.from(packedScript, 'base64'));

export const scalarScript: PageFile = {
  name: 'scalar.js',
  type: scriptType,
  get etag() {
    return `"scalar-${packed().length}"`;
  },
  open(acceptsGzip) {
    if (acceptsGzip) return { body: packed(), encoding: 'gzip' };
    return { body: pipeline(Readable.from([packed()]), createGunzip(), () => {}) };
  },
};

export function swaggerPage(): never {
  throw new OpenAPIError(
    'AMBIT_ERR_OPENAPI_PAGE',
    "docs.ui 'swagger-ui' is not available in this runtime, which cannot read the files of swagger-ui-dist: leave docs.ui out, or set docs to false",
  );
}
