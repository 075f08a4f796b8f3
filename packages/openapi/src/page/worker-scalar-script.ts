/** Replaces scalar-script.ts on workers. Workers have no disk, so the script is a part of the bundle. */
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { PageFile } from './page.ts';

/** The build replaces this name with the content of the file, in base64. */
declare const packedScript: string;

let bytes: Buffer | undefined;
const unpackText = (): Buffer => (bytes ??= Buffer.from(packedScript, 'base64'));

export const script: PageFile = {
  name: 'scalar.js',
  type: 'text/javascript; charset=utf-8',
  get etag() {
    return `"scalar-${unpackText().length}"`;
  },
  open(acceptsGzip) {
    if (acceptsGzip) return { body: unpackText(), encoding: 'gzip' };
    return { body: pipeline(Readable.from([unpackText()]), createGunzip(), () => {}) };
  },
};
