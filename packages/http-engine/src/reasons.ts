/** The names of the reasons why node serves a connection instead of the engine. */

/** The reasons that the scanner can find. The scanner returns a reason as a negative code: -1 minus its index. */
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

/** The part of a request's head because of which the engine leaves the request to node. */
export type GrammarReason = (typeof grammarReasons)[number];

/**
 * Why node serves a connection:
 *
 * - a part of the head that the engine's grammar does not allow, or a field that only node handles
 * - `head-too-large`: node's own limits decide whether the request is accepted
 * - `data-after-close`: bytes after a request that said `Connection: close`
 * - `socket`: it is not one of node's own sockets, or something reads it already, or this version of node lacks a member that the engine
 *   uses
 * - `request-listener`, `emit`, `diagnostics-channel`: something observes node's server
 */
export type HandOverReason = GrammarReason | 'head-too-large' | 'data-after-close' | 'socket' | WatchReason;

/** How something observes node's server. The observer would not see what the engine serves. */
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
