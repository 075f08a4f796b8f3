/**
 * Warns, in development, when a context sets something too late: what was declared before goes on without it, as in Fastify. Routes take
 * the settings of their context before the next plugin loads (`routes/take-settings.ts`), and a context takes over the parsers, compilers
 * and fields of its parent when it is opened.
 */

import { CallSite } from '../shared/call-site.ts';
import type { DefinitionKind } from '../types/inspection.ts';
import { warnLateSetting } from '../types/warnings.ts';
import type { Definition } from './app-state.ts';
import type { ContextNode } from './context-node.ts';

/** How a warning calls a definition that comes too late for contexts that are open already. */
const names: Readonly<Partial<Record<DefinitionKind, string>>> = {
  errorHandler: 'error handler',
  setting: '',
  compiler: '',
  parser: 'parser for',
  removedParser: 'removal of the parser for',
  requestDecorator: 'request decorator',
  replyDecorator: 'reply decorator',
};

/** Settings that are read when a request comes, so that they are never late. */
const neverLate: ReadonlySet<unknown> = new Set(['genReqId']);

/** Settings that the routes of a context take over. Other definitions are taken over by contexts. */
const takenByRoutes: ReadonlySet<unknown> = new Set([
  'errorHandler',
  'errorFormat',
  'replySerializer',
  'schemaErrorFormatter',
  'childLoggerFactory',
]);

/** Warns if a definition of a context does not reach a route that exists already: one warning for each call that is too late. */
export function warnIfLate(node: ContextNode, definition: Definition): void {
  const { kind, name } = definition;
  const title = names[kind];
  if (title === undefined || neverLate.has(name) || isOnPrototype(definition)) return;
  if (node.app.compatibility.messages === 'fastify' || process.env.NODE_ENV === 'production') return;
  const missed = [...node.descendants()].filter((other) => isMissedBy(other, node, definition));
  const [first] = missed;
  if (first === undefined) return;
  const what = kind === 'errorHandler' ? title : `${title} ${String(name)}`.trim();
  warnLateSetting(
    `the ${what} that ${node.path} sets at ${new CallSite().location}`,
    `${first === node ? 'routes' : 'the plugin'} ${describe(first, node)}`,
    missed.length - 1,
  );
}

/** Functions and accessors of requests and replies are on a prototype, where later contexts and earlier ones find them. */
function isOnPrototype({ kind, value }: Definition): boolean {
  const isDecorator = kind === 'requestDecorator' || kind === 'replyDecorator';
  return isDecorator && (typeof value === 'function' || (typeof value === 'object' && value !== null));
}

/** Whether the routes of a context go on without a definition of `owner`, although no context in between has one of its own. */
function isMissedBy(other: ContextNode, owner: ContextNode, { kind, name }: Definition): boolean {
  if (other.servesProbes) return false;
  const isTaken = takenByRoutes.has(name)
    ? other.routes.some(({ settings }) => settings !== undefined)
    : other !== owner && other.routes.length > 0;
  if (!isTaken) return false;
  for (let node = other; node !== owner; node = node.parent!) {
    if (node.definitions.some((own) => own.kind === kind && own.name === name)) return false;
  }
  return true;
}

function describe(missed: ContextNode, owner: ContextNode): string {
  if (missed === owner) {
    const { site, publicUrl } = missed.routes[0]!;
    return `that it has declared before, such as ${publicUrl} (${site.location})`;
  }
  const registration = missed.app.boot.registrations.find(
    ({ placement }) => placement?.context === missed.api,
  );
  return `${missed.path} (registered at ${registration?.site.location}), which has loaded before`;
}
