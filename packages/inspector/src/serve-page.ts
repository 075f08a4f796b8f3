/** Serves the page and its files. */
import type { Context, Reply } from 'ambit';
import { pageFileNames, readPageFile } from './page-files.ts';
import { htmlOf } from './page-html.ts';

/** The content security policy: the page loads nothing from other hosts, and no other page may frame it. */
const pagePolicy =
  "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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
