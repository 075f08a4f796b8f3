/** Owns the names of the reasons why node serves a connection instead of the engine. */

/** The results of the scanner. Each result returns a code: its index, negated and minus one. */
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

/** What the engine leaves to node in the head of a request. */
export type GrammarReason = (typeof grammarReasons)[number];

/**
 * Why node serves a connection:
 *
 * - those of the grammar: where the head left it, or which field only node handles
 * - `head-too-large`: node's own limits decide what becomes of it
 * - `data-after-close`: bytes after a request that said `Connection: close`
 * - `socket`: not one of node's own sockets, or one that somebody reads already
 * - `request-listener`, `emit`, `diagnostics-channel`: somebody watches node's server
 */
export type HandOverReason = GrammarReason | 'head-too-large' | 'data-after-close' | 'socket' | WatchReason;

/** How something observes node's server. It would not see what the engine serves. */
export type WatchReason = 'request-listener' | 'emit' | 'diagnostics-channel';

/** Codes that the scanner returns instead of the position at which a head ends. */
export const incomplete = 0;
export const invalidHost = -1000;

/** The code of a reason. */
export function codeOf(reason: GrammarReason): number {
  return -1 - grammarReasons.indexOf(reason);
}

export function reasonOf(code: number): GrammarReason {
  return grammarReasons[-1 - code]!;
}
