/** Which value of the program was `undefined`, when an error says that one was? */
import { readText } from './report.ts';
import { nameBefore, type ReadFile } from './source.ts';
import { foldStack, inNodeModules, type LibraryOf } from './stack.ts';

/** What is known besides the error. */
interface UndefinedValueOptions {
  /** The stack, in place of `error.stack`. */
  readonly stack?: string | undefined;
  /** Default: the package in the innermost `node_modules`. */
  readonly libraryOf?: LibraryOf;
  /** Default: reads the file system. */
  readonly readFile?: ReadFile;
}

/** The messages that name the value: those of V8 for destructuring and calls, and those of JavaScriptCore. */
const namedIn = [
  /^Cannot destructure property '.*' of '([\w$.]+)' as it is undefined/,
  /^undefined is not an object \(evaluating '([\w$.]+)\.[\w$]+'\)/,
  /^([\w$.]+) is not a function/,
];
/** The message of V8 that does not name it. */
const notNamed = /^Cannot (?:read|set) properties of undefined \(/;

/**
 * Finds the member that a `TypeError` is about, because it was `undefined`, in the line of the program that threw it. It never throws.
 *
 * @param error Anything that was thrown.
 * @param options What is known besides the error.
 * @returns The object and the member, as the line has them: `['request', 'body']` for `request.body.name`. `undefined` if the error is
 *   another one, or if a library threw it.
 */
export function undefinedMember(
  error: unknown,
  options: UndefinedValueOptions = {},
): readonly [object: string, member: string] | undefined {
  if (!(error instanceof TypeError)) return undefined;
  const { libraryOf = inNodeModules, readFile = readText } = options;
  const message = String(error.message);
  const named = namedIn.map((pattern) => pattern.exec(message)?.[1]).find(Boolean);
  if (named === undefined && !notNamed.test(message)) return undefined;
  const innermost = String(options.stack ?? error.stack).match(/^\s+at .*/m)?.[0] ?? '';
  const [frame] = foldStack(innermost, libraryOf).frames;
  if (frame === undefined) return undefined;
  const [object, member] =
    named === undefined
      ? nameBefore(frame.file, frame.line, frame.column, readFile)
      : named.split('.').slice(-2);
  return object === undefined || member === undefined ? undefined : [object, member];
}
