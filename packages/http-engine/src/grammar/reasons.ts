/** Owns the words for why a connection is served by node instead of the engine. */

/** What the scanner found; the place in the list is the code that it returns, negated and less one. */
const grammarReasons = [
  'method',
  'target',
  'version',
  'field-name',
  'field-value',
  'too-many-fields',
  'host-missing',
  'content-length',
  'connection-field',
  'transfer-encoding',
  'upgrade',
  'expect',
] as const;

/** What in the head of a request the engine leaves to node. */
export type GrammarReason = (typeof grammarReasons)[number];

/**
 * Why node serves a connection:
 *
 * - those of the grammar: where the head left it, or which field only node handles
 * - `head-too-large`: node's own limits decide what becomes of it
 * - `data-after-close`: bytes behind a request that said `Connection: close`
 * - `socket`: not one of node's own sockets, or one that somebody reads already
 * - `request-listener`, `emit`, `diagnostics-channel`: somebody watches node's server
 */
export type HandOverReason = GrammarReason | 'head-too-large' | 'data-after-close' | 'socket' | WatchReason;

/** How somebody watches node's server, who would see nothing of what the engine serves. */
export type WatchReason = 'request-listener' | 'emit' | 'diagnostics-channel';

/** Codes that the scanner returns instead of the place where a head ends. */
export const incomplete = 0;
export const invalidHost = -1000;

/** The code of a reason. */
export function codeOf(reason: GrammarReason): number {
  return -1 - grammarReasons.indexOf(reason);
}

export function reasonOf(code: number): GrammarReason {
  return grammarReasons[-1 - code]!;
}
