/**
 * How a context changes: the node behind it is found, a change after boot is refused, and what is defined is recorded, with its line. Is it
 * too late for a route that exists already?
 */

import {
  addFirst,
  CallSite,
  type DeclarationPlace,
  type ErrorPlace,
  withErrorPlace,
} from '../shared/call-site.ts';
import { didYouMean } from '../shared/nearest-name.ts';
import { describeError, undefinedMember } from '../shared/readable.ts';
import type { Context } from '../types/context.ts';
import { AlreadyStarted } from '../types/errors.ts';
import type { DefinitionKind, Origin } from '../types/inspection.ts';
import { warnLateSetting } from '../types/warnings.ts';
import type { Registration } from './boot/plugins.ts';
import type { ContextNode } from './context-node.ts';

/** Methods and accessors of contexts, by name. `this` is the context that they are called on. */
export type ContextMethods = {
  [Name in keyof Context]?: Context[Name] extends (...args: infer Args) => unknown ? Method<Args> : unknown;
} & ThisType<Context>;

type Method<Args extends unknown[]> = { method(...args: Args): unknown }['method'];

const nodes = new WeakMap<object, ContextNode>();

export function attachNode(api: Context, node: ContextNode): void {
  nodes.set(api, node);
}

/** The node behind a context, or behind an object that inherits from one. */
export function nodeOf(context: object): ContextNode {
  for (let object: object | null = context; object !== null; object = Object.getPrototypeOf(object)) {
    const node = nodes.get(object);
    if (node !== undefined) return node;
  }
  throw new TypeError('not a context: call the methods of a context on the context itself');
}

/**
 * Changes a context's node, for the method `call`. Returns the context, so that calls chain.
 *
 * @param makeLateError Makes the error for a call after boot: the tables are frozen then.
 */
export function changeContext<This extends object>(
  context: This,
  call: string,
  change: (node: ContextNode) => void,
  makeLateError: (call: string) => Error = (call) => new AlreadyStarted(`Cannot call "${call}"!`),
): This {
  const node = nodeOf(context);
  withContextPlace(node, () => {
    if (node.app.boot.isFrozen) throw describeError(makeLateError(call), { prefix: '' });
    change(node);
  });
  return context;
}

/** Adds the place to the errors that a function throws: the context, and the caller's file. */
export function withContextPlace<T>(node: ContextNode, run: () => T): T {
  const place = (): ErrorPlace => ({ plugin: node.path, file: new CallSite().file });
  return withErrorPlace(run, place, node.app.translateError);
}

/** Something that a context defines, the line that did it, and the step of boot that the line belongs to. */
export interface Definition extends Origin {
  readonly kind: DefinitionKind;
  readonly name: string | symbol;
  readonly value: unknown;
}

let recordsSites = false;

/**
 * Makes all applications of this process record the line of each declaration from now on: of decorators, hooks, schemas, parsers,
 * handlers, compilers and settings. `listContexts` and `listSteps` return it as `file`. By default they are not recorded,
 * because each line costs a stack trace. A tool must call this before the modules of the application are evaluated. Lines of routes,
 * plugins and shared schemas are always recorded: errors show them.
 */
export function recordDeclarationSites(): void {
  recordsSites = true;
}

/** Whether a tool has asked for the lines of declarations. */
export function isRecordingSites(): boolean {
  return recordsSites;
}

/** Throws the error of a second declaration, with the place of the first. */
export function failAsSecond(
  node: ContextNode,
  isFirst: (definition: Definition) => boolean,
  error: unknown,
): never {
  addFirst(error, findDeclaration(node, isFirst));
  throw error;
}

/** Finds where something was declared, in a context or above. */
export function findDeclaration(
  node: ContextNode,
  isSame: (definition: Definition) => boolean,
): DeclarationPlace | undefined {
  for (let owner: ContextNode | undefined = node; owner !== undefined; owner = owner.parent) {
    const first = owner.definitions.find(isSame);
    if (first === undefined) continue;
    const registration = first.step.owner as Registration | undefined;
    return { plugin: owner.path, file: (first.site ?? registration?.site)?.file };
  }
  return undefined;
}

/** Returns the names that a context declares. */
type NamesOf = (node: ContextNode) => Iterable<string | symbol>;

/** Says which context has declared a name that a context cannot see, because it does not inherit from there. */
export function declaredElsewhere(
  name: string | symbol,
  node: ContextNode,
  namesOf: NamesOf,
): string | undefined {
  for (const other of nodeOf(node.app.root).descendants())
    for (const each of namesOf(other))
      if (each === name) return `it is declared in ${other.path}, from which ${node.path} does not inherit`;
  return undefined;
}

/** A hint for an error about a name that a context cannot see: who declares it, or which name was probably meant. */
export function hintAbout(name: string | symbol, node: ContextNode, namesOf: NamesOf): string | undefined {
  const elsewhere = declaredElsewhere(name, node, namesOf);
  const known = [...nodeOf(node.app.root).descendants()].flatMap((other) => [...namesOf(other)].map(String));
  return elsewhere ?? didYouMean(String(name), known);
}

/** `hintAbout` for decorators. */
export function hintAboutDecorator(
  name: string | symbol,
  node: ContextNode,
  wanted: DefinitionKind,
): string | undefined {
  return hintAbout(name, node, ({ definitions }) =>
    definitions.filter(({ kind }) => kind === wanted).map((definition) => definition.name),
  );
}

/** A hint for an error about a value that was `undefined`: which context has a decorator of this name. */
export function hintAboutUndefined(error: unknown, node: ContextNode): string | undefined {
  const [, member] = undefinedMember(error) ?? [];
  if (member === undefined) return undefined;
  const isDecorator = ({ kind, name }: Definition): boolean => name === member && /decorator$/i.test(kind);
  if (findDeclaration(node, isDecorator) !== undefined) return undefined;
  const elsewhere = declaredElsewhere(member, node, ({ definitions }) =>
    definitions.filter(isDecorator).map(({ name }) => name),
  );
  return elsewhere && `'${member}' is undefined here: ${elsewhere}. ${remedy}`;
}

/** Adds that hint to an error of boot. */
export function adviseUndefined(error: unknown, node: ContextNode): void {
  const hint = hintAboutUndefined(error, node);
  if (hint !== undefined) describeError(error as Error, { advice: [hint] });
}

const remedy = 'Declare it in a context above both, or wrap the plugin that declares it in hoist()';

/**
 * Records what a call defines. Stack frames are only collected here: they become text when a tool reads them.
 *
 * @param add Adds it to its table. If that fails, and there already is a definition of the same kind and name, the error says where.
 * @param first The context whose definition would be the first one.
 */
export function define(
  node: ContextNode,
  kind: DefinitionKind,
  name: string | symbol,
  value: unknown,
  add: () => void = () => {},
  isSame: (known: Definition) => boolean = (known) => known.kind === kind && known.name === name,
  first: ContextNode = node,
): Definition {
  try {
    add();
  } catch (error) {
    failAsSecond(first, isSame, error);
  }
  // Mistakes in shared schemas are found later, and the error of a second decorator tells where the first is. That line is for developers.
  const isRecorded = kind === 'schema' || (node.app.server.isDevelopment && /decorator$/i.test(kind));
  const site = recordsSites || isRecorded ? new CallSite() : undefined;
  const definition = { kind, name, value, site, step: node.app.boot.step };
  warnIfLate(node, definition);
  node.definitions.push(definition);
  return definition;
}

/** How a warning calls a definition that comes too late for contexts that are open already. */
const titles: Readonly<Partial<Record<DefinitionKind, string>>> = {
  errorHandler: 'error handler',
  setting: '',
  compiler: '',
  parser: 'parser for',
  removedParser: 'removal of the parser for',
  requestDecorator: 'request decorator',
  replyDecorator: 'reply decorator',
};

/** Settings that the routes of a context take over. Other definitions are taken over by contexts. */
const takenByRoutes: ReadonlySet<unknown> = new Set([
  'errorHandler',
  'errorFormat',
  'replySerializer',
  'schemaErrorFormatter',
  'childLoggerFactory',
]);

/**
 * Warns, in development, if a definition comes too late: what was declared before goes on without it, as in Fastify. Routes take the settings
 * of their context before the next plugin loads (`completeLater`), and a context takes over the parsers, compilers and fields of its
 * parent when it is opened.
 */
function warnIfLate(node: ContextNode, definition: Definition): void {
  const { kind, name } = definition;
  const title = titles[kind];
  // Ids are made when a request comes, so what makes them is never late.
  if (title === undefined || name === 'genReqId' || isOnPrototype(definition)) return;
  if (node.app.compatibility.messages === 'fastify' || process.env.NODE_ENV === 'production') return;
  const missed = [...node.descendants()].filter((other) => isMissedBy(other, node, definition));
  const [first] = missed;
  if (first === undefined) return;
  const what = kind === 'errorHandler' ? title : `${title} ${String(name)}`.trim();
  warnLateSetting(
    `the ${what} that ${node.path} sets at ${new CallSite().file}`,
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
    const { site, url } = missed.routes[0]!;
    return `that it has declared before, such as ${url} (${site.file})`;
  }
  const registration = missed.app.boot.registrations.find(({ context }) => context === missed.api);
  return `${missed.path} (registered at ${registration?.site.file}), which has loaded before`;
}
