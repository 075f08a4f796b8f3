/** Which line of the application made this call, and which plugin and route does it belong to? For errors of boot and for tools. */
import { fileURLToPath } from 'node:url';
import { isCatalogueError } from './define-error.ts';
import { isFrameworkFile } from './framework-files.ts';
import { showReport } from './readable.ts';
import { attempt, captureStack, isError } from './thrown-values.ts';

const files = new WeakMap<CallSite, string | undefined>();

/** Records which code called the framework. This is cheap: the stack becomes text only if it is read. */
export class CallSite {
  declare readonly stack?: string;

  /** @param frameLimit How many frames to keep: those of this package, and one frame of the caller. Each frame costs time and memory. */
  constructor(frameLimit = 12) {
    captureStack(this, frameLimit, CallSite);
  }

  /**
   * `file:line:column` of the innermost caller outside this package, or `undefined` if the stack does not contain one. It is searched once,
   * because many steps of routes share one call.
   */
  get file(): string | undefined {
    if (!files.has(this)) files.set(this, findFile(this));
    return files.get(this);
  }
}

/**
 * The file of a frame, whose path may have parentheses: `at handler (/app (copy)/a.js:1:2)`, `at /app (copy)/a.js:1:2`. Code of `eval` has
 * none: `at eval (eval at run (/app/a.js:1:2), <anonymous>:1:1)`. A handler may have the name `/users (worker:1:2)`.
 */
const located = String.raw`((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/]).*?)(:\d+:\d+)`;
const behindName = new RegExp(String.raw`^(?!.*\), ).*? \(${located}\)$`);
const alone = new RegExp(`^(?:\\s*at (?:async )?|[^@]*@)${located}$`);

function findFile({ stack = '' }: CallSite): string | undefined {
  // `Error.prepareStackTrace` of the application may return something else than a text.
  for (const line of String(stack).split('\n').slice(1)) {
    const [, file, position] = behindName.exec(line) ?? alone.exec(line) ?? [];
    // The URL of a module encodes its path, and may have a query.
    const path = file?.startsWith('file:') ? attempt(() => fileURLToPath(file)) : file;
    if (path !== undefined && !isFrameworkFile(path)) return path + position;
  }
  return undefined;
}

/** The place of an error, in its field `where`. It is printed with the error, but is not part of its message. */
export interface ErrorPlace {
  /** The plugin path of the context, from the root: `ambit > users > admin`. */
  plugin?: string | undefined;
  /** Method and URL of the route, as declared: `GET /users/:id`. */
  route?: string | undefined;
  /** `file:line:column` of the code that called the framework. */
  file?: string | undefined;
  /** Where the first of two equal declarations is, if only one is allowed. */
  first?: DeclarationPlace | undefined;
  /** The step that boot was waiting for when it timed out. */
  step?: string | undefined;
  /** The part of the route's schema: `body`, `response 200 (text/csv)`. */
  part?: string | undefined;
  /** The location in that schema, as a JSON Pointer: `#/properties/name`. In a shared schema, it follows the `$id`. */
  schemaPath?: string | undefined;
}

/** The place of a declaration. */
export interface DeclarationPlace {
  /** The plugin path of the context. */
  plugin: string;
  /** `file:line:column` of the declaration; if it was not recorded, of the call of `register` whose plugin declared it. */
  file?: string | undefined;
}

/** Adds the place of the first declaration to the error of a second one. */
export function addFirst(error: unknown, first: DeclarationPlace | undefined): void {
  if (first !== undefined && isError(error)) Object.assign(error, { where: { first } });
}

/** Adds the place to an error that has none, or only a part of it. Errors to which nothing can be added, such as frozen ones, stay as they are. */
export function addPlace<T>(error: T, place: () => ErrorPlace): T {
  if (!isError(error)) return error;
  try {
    const { where } = error as { where?: ErrorPlace };
    if (where === undefined) Object.assign(error, { where: place() });
    else if ((where.first ?? where.part) !== undefined && where.plugin === undefined)
      Object.assign(error, { where: { ...place(), ...where } });
    showReport(error, isCatalogueError(error));
  } catch {
    // The error itself is more important than its place.
  }
  return error;
}

/** Runs a function, and adds the place to its error. @param translate Gives errors the name and message of the application. */
export function withErrorPlace<T>(run: () => T, place: () => ErrorPlace, translate: <E>(error: E) => E): T {
  try {
    return run();
  } catch (error) {
    throw translate(addPlace(error, place));
  }
}
