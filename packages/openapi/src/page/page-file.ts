/** Creates the files of pages: from a text in this package, or from a file of another package. */
import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import type { PageFile } from './page.ts';

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const typeOf = (name: string): string => types[name.slice(name.lastIndexOf('.') + 1)]!;

/** A short script. */
export function textFile(name: string, text: string): PageFile {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return { name, type: typeOf(name), etag, open: () => ({ body: text }) };
}

/** A file of a package, read from the disk for each request. @param label Distinguishes its versions, together with its size. */
export function packageFile(name: string, path: string, label: string): PageFile {
  return {
    name,
    type: typeOf(name),
    get etag() {
      return `"${label}-${statSync(path).size}"`;
    },
    open: () => ({ body: createReadStream(path) }),
  };
}
