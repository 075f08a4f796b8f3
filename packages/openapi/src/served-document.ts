/** Serves a document, which is built once, as JSON and as YAML, and whatever else a client may have already. */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Context, Reply, Request } from 'ambit';
import type { OpenAPIDocument } from './document-types.ts';

const require = createRequire(import.meta.url);

/** The schema of routes that are not in the document. */
export const hidden = { hide: true };

/** The members of a request and a reply that sending a text needs. */
type ConditionalRequest = Pick<Request, 'headers'>;
type ReplyMethods = Pick<Reply, 'header' | 'send' | 'code'>;

interface Text {
  readonly bytes: Buffer;
  readonly etag: string;
}

export class ServedDocument {
  readonly #describe: () => OpenAPIDocument;
  #document: OpenAPIDocument | undefined;
  readonly #texts: { json?: Text; yaml?: Text } = {};

  constructor(describe: () => OpenAPIDocument) {
    this.#describe = describe;
  }

  /** Built by the first call, which is at boot: it fails if a route cannot be described. */
  build(): OpenAPIDocument {
    this.#document ??= this.#describe();
    return this.#document;
  }

  /** Declares the route of one of the texts. */
  serve(context: Context, path: string, format: 'json' | 'yaml'): void {
    context.get(path, { schema: hidden }, (request, reply) => {
      const { bytes, etag } = this.#text(format);
      return sendIfChanged(request, reply, {
        type: `application/${format}; charset=utf-8`,
        etag,
        body: () => bytes,
      });
    });
  }

  /** Created by the first request for it. */
  #text(format: 'json' | 'yaml'): Text {
    const known = this.#texts[format];
    if (known !== undefined) return known;
    const document = this.build();
    const bytes = Buffer.from(format === 'json' ? JSON.stringify(document) : yamlOf(document));
    const text = { bytes, etag: etagOf(bytes) };
    this.#texts[format] = text;
    return text;
  }
}

/** The package is loaded by the first request for YAML, because most applications never get one. */
function yamlOf(document: OpenAPIDocument): string {
  const { stringify } = require('yaml') as typeof import('yaml');
  return stringify(document, { aliasDuplicateObjects: false });
}

export function etagOf(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

interface Sendable {
  readonly type: string;
  readonly etag: string;
  readonly body: () => unknown;
}

/** Sends the content, unless the client already has it. */
export function sendIfChanged(
  request: ConditionalRequest,
  reply: ReplyMethods,
  { type, etag, body }: Sendable,
): unknown {
  reply.header('etag', etag).header('cache-control', 'no-cache');
  const { 'if-none-match': known } = request.headers as { 'if-none-match'?: string };
  if (known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))
    return reply.code(304).send(undefined as never);
  return reply.header('content-type', type).send(body() as never);
}
