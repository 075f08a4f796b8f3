/** The files of the page. Each is read from the package once, when a browser first requests it. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The files that the page consists of. */
export const pageFileNames = [
  'icon.svg',
  'page.css',
  'page.js',
  'boot-view.js',
  'code-layout.js',
  'compare-view.js',
  'context-view.js',
  'definitions.js',
  'dom.js',
  'format.js',
  'json-view.js',
  'live.js',
  'model.js',
  'requests-view.js',
  'route-view.js',
  'routes-view.js',
  'schemas-view.js',
  'search.js',
  'tree-rows.js',
  'tree-view.js',
  'try-form.js',
  'url-pattern.js',
  'virtual-list.js',
] as const;

/** The content and headers of a file. */
export interface PageFile {
  readonly type: string;
  readonly etag: string;
  readonly text: Buffer;
  readonly gzipped: Buffer;
}

const files = new Map<string, PageFile>();

export function readPageFile(name: string): PageFile {
  let file = files.get(name);
  if (file === undefined) {
    const text = readFileSync(join(pageFolder(), name));
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    file = { type: types[name.slice(name.lastIndexOf('.') + 1)]!, etag, text, gzipped: gzipSync(text) };
    files.set(name, file);
  }
  return file;
}

/** Located by the name of the package, because code in a bundle does not know its own folder. */
function pageFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve('@ambit/inspector/package.json')), 'page');
}
