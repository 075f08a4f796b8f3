/** Serves the page: its HTML, its files, and how long they are kept. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Context, Reply } from 'ambit';

/**
 * The content security policy: the page loads nothing from other hosts, and no other page may frame it. It may show an image that the
 * application has sent as the answer to a request.
 */
const pagePolicy =
  "default-src 'self'; img-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The schema of the inspector's own routes, so that OpenAPI documents leave them out. */
export const hidden = { hide: true };

export function servePage(context: Context, path: string): void {
  const folder = path.slice(path.lastIndexOf('/') + 1);
  context.get(path, { schema: hidden as never, exposeHeadRoute: false }, (_request, reply) =>
    setHeaders(reply, 'text/html; charset=utf-8')
      .header('content-security-policy', pagePolicy)
      .header('referrer-policy', 'no-referrer')
      .send(htmlOf(folder) as never),
  );
  // Relative, because a proxy may add a prefix. Applications that ignore the slash have this route already.
  if (context.initialConfig.ignoreTrailingSlash !== true)
    context.get(`${path}/`, { schema: hidden as never, exposeHeadRoute: false }, (_request, reply) =>
      reply.redirect(`../${folder}`, 308),
    );
  for (const name of pageFileNames) {
    context.get(`${path}/${name}`, { schema: hidden as never, exposeHeadRoute: false }, (request, reply) => {
      const { type, etag, text, gzipped } = readPageFile(name);
      setHeaders(reply, type).header('etag', etag).header('vary', 'accept-encoding');
      if (request.headers['if-none-match'] === etag) return reply.code(304).send(undefined as never);
      if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(text as never);
      return reply.header('content-encoding', 'gzip').send(gzipped as never);
    });
  }
}

/** Sets the media type of a response, and the headers that prevent other pages from reading it. */
export function setHeaders(reply: Reply, type: string): Reply {
  return reply
    .header('content-type', type)
    .header('cache-control', 'no-cache')
    .header('x-content-type-options', 'nosniff')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('cross-origin-opener-policy', 'same-origin') as Reply;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The first three have what all views share; the others belong to the view of their name. */
const styleSheets = [
  'page.css',
  'header.css',
  'parts.css',
  'boot.css',
  'compare.css',
  'picture.css',
  'process.css',
  'requests.css',
  'request-details.css',
  'route.css',
  'routes.css',
  'tree.css',
  'try.css',
] as const;

/** The files that the page consists of. */
const pageFileNames = [
  'icon.svg',
  ...styleSheets,
  'page.js',
  'answer-view.js',
  'boot-rows.js',
  'boot-view.js',
  'check-value.js',
  'code-layout.js',
  'code-view.js',
  'compare-view.js',
  'context-view.js',
  'copy-as.js',
  'definitions.js',
  'dom.js',
  'error-card.js',
  'filter-bar.js',
  'format.js',
  'json-view.js',
  'live.js',
  'log-scale.js',
  'model.js',
  'process-view.js',
  'pattern-text.js',
  'picture.js',
  'picture-camera.js',
  'picture-content.js',
  'picture-detail.js',
  'picture-layout.js',
  'picture-parts.js',
  'replay.js',
  'replayable.js',
  'request-details.js',
  'request-filter.js',
  'request-list.js',
  'request-row.js',
  'request-steps.js',
  'requests-view.js',
  'route-view.js',
  'routes-view.js',
  'sample.js',
  'schema-tree.js',
  'schemas-view.js',
  'search.js',
  'tree-list.js',
  'tree-rows.js',
  'tree-view.js',
  'try-auth.js',
  'try-body.js',
  'try-fields.js',
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

function readPageFile(name: string): PageFile {
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

/** References are relative, because a proxy may add a prefix that the application does not know. */
function htmlOf(folder: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Ambit inspector</title>
<link rel="icon" href="${folder}/icon.svg">
${styleSheets.map((name) => `<link rel="stylesheet" href="${folder}/${name}">`).join('\n')}
<script type="module" src="${folder}/page.js"></script>
${preloads(folder)}
</head>
<body>
<noscript>The inspector needs JavaScript. What it shows is in <a href="${folder}/model.json">model.json</a>.</noscript>
</body>
</html>
`;
}

/** So that the browser asks for everything at once: modules import one another, and the model is asked for by the last of them. */
function preloads(folder: string): string {
  const modules = pageFileNames.filter((name) => name.endsWith('.js'));
  return [
    ...modules.map((name) => `<link rel="modulepreload" href="${folder}/${name}">`),
    `<link rel="preload" href="${folder}/model.json" as="fetch" crossorigin>`,
  ].join('\n');
}
