/** Serves the documentation page and its files. The page loads nothing from other hosts. */
import type { Context } from 'ambit';
import type { DocsOptions, DocumentOptions } from '../options.ts';
import { hidden, type ServedDocument, sendIfChanged } from '../served-document.ts';
import { type Page, type PageFile, scalarPage } from './page.ts';
import { scalarScript, swaggerPage } from './page-files.ts';

interface PageOptions {
  readonly docs: string | DocsOptions;
  readonly json: string | false;
  readonly options: DocumentOptions;
}

/** Declares the routes of the page. */
export function servePage(
  context: Context,
  servedDocument: ServedDocument,
  { docs, json, options }: PageOptions,
): void {
  const {
    path = '/docs',
    ui = 'scalar',
    configuration = {},
  } = typeof docs === 'string' ? { path: docs } : docs;
  const document = json === false ? `${path}/openapi.json` : json;
  if (json === false) servedDocument.serve(context, document, 'json');
  const page = ui === 'scalar' ? scalarPage(scalarScript) : swaggerPage();
  const policy = contentPolicy(options);
  const title = options.info?.title ?? 'API';
  context.get(path, { schema: hidden }, (request, reply) => {
    const [requestedPath] = (request as unknown as { url: string }).url.split('?');
    const html = htmlOf(page, { title, path, document, requestedPath: requestedPath!, configuration });
    return reply
      .header('content-security-policy', policy)
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-cache')
      .header('content-type', 'text/html; charset=utf-8')
      .send(html as never);
  });
  for (const file of page.files) serveFile(context, `${path === '/' ? '' : path}/${file.name}`, file);
}

function serveFile(context: Context, path: string, file: PageFile): void {
  context.get(path, { schema: hidden }, (request, reply) => {
    const { 'accept-encoding': accepted = '' } = request.headers as { 'accept-encoding'?: string };
    reply.header('vary', 'accept-encoding').header('x-content-type-options', 'nosniff');
    return sendIfChanged(request, reply, {
      type: file.type,
      etag: file.etag,
      body: () => {
        const { body, encoding } = file.open(/\bgzip\b/.test(accepted));
        if (encoding !== undefined) reply.header('content-encoding', encoding);
        return body;
      },
    });
  });
}

/** Both pages set styles by script, and their styles contain small images. */
const fixedDirectives = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
];

/** The content security policy. It allows the page's own files, and requests to the servers that the document names. */
function contentPolicy({ servers = [] }: DocumentOptions): string {
  const origins = servers.flatMap(({ url, variables = {} }) => {
    const filled = url.replace(/\{([^}]+)\}/g, (_, name: string) => variables[name]?.default ?? '');
    const isAbsolute = /^https?:\/\//.test(filled) && URL.canParse(filled);
    return isAbsolute ? [new URL(filled).origin] : [];
  });
  return [...fixedDirectives, ["connect-src 'self'", ...new Set(origins)].join(' ')].join('; ');
}

interface HtmlOptions {
  readonly title: string;
  /** The paths of the page and the document, below the prefix of their context. */
  readonly path: string;
  readonly document: string;
  /** The path that the browser requested. Relative references start from there. */
  readonly requestedPath: string;
  readonly configuration: { readonly [option: string]: unknown };
}

/** References are relative, because a proxy may add a prefix that the application does not know. */
function htmlOf(page: Page, { title, path, document, requestedPath, configuration }: HtmlOptions): string {
  const isFolder = requestedPath.endsWith('/');
  const files = isFolder ? '' : `${path.slice(path.lastIndexOf('/') + 1)}/`;
  const steps = path.split('/').filter((step) => step !== '').length;
  const up = '../'.repeat(isFolder ? steps : Math.max(steps - 1, 0));
  const settings = { ...page.configuration, ...configuration, url: `${up}${document.slice(1)}` };
  const styles = page.styles.map((name) => `<link rel="stylesheet" href="${files}${name}">`);
  const scripts = page.scripts.map((name) => `<script src="${files}${name}"></script>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>body { margin: 0 }</style>
${styles.join('\n')}
</head>
<body>
<noscript>This page needs JavaScript. The document itself is at <a href="${escapeHtml(up + document.slice(1))}">${escapeHtml(document)}</a>.</noscript>
<div id="app"></div>
<script id="configuration" type="application/json">${JSON.stringify(settings).replaceAll('<', '\\u003c')}</script>
${scripts.join('\n')}
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
