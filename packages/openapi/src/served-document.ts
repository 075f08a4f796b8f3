/** The texts of a document that is served. Each is created by the first request for it. */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Reply, Request } from 'ambit';
import type { DescribedDocument } from './document/described-document.ts';

const require = createRequire(import.meta.url);

interface Text {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** The members of a request and a reply that sending a text needs. */
export type ConditionalRequest = Pick<Request, 'headers'>;
export type ReplyMethods = Pick<Reply, 'header' | 'send' | 'code'>;

export class ServedDocument {
  readonly #describe: () => DescribedDocument;
  readonly #texts: { json?: Text; yaml?: Text } = {};

  constructor(describe: () => DescribedDocument) {
    this.#describe = describe;
  }

  /** Replies with the document, or with 304 to a client that has it. */
  reply(request: ConditionalRequest, reply: ReplyMethods, type: string, format: 'json' | 'yaml'): unknown {
    const { bytes, etag } = this.#text(format);
    return sendIfChanged(request, reply, { type, etag, body: () => bytes });
  }

  #text(format: 'json' | 'yaml'): Text {
    const known = this.#texts[format];
    if (known !== undefined) return known;
    const bytes = Buffer.from(format === 'json' ? this.#describe().text() : this.#yaml());
    const text = { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
    this.#texts[format] = text;
    return text;
  }

  #yaml(): string {
    // Loaded by the first request for YAML, because most applications never get one.
    const { stringify } = require('yaml') as typeof import('yaml');
    return stringify(this.#describe().object(), { aliasDuplicateObjects: false });
  }
}

export interface Sendable {
  readonly type: string;
  readonly etag: string;
  readonly body: () => unknown;
}

/** Sends the text, unless the client already has it. */
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
