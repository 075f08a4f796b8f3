/** What do people read? An error of boot as the lines of the program that it is about, in place of our own frames, and log lines on a terminal. */
import { createRequire } from 'node:module';
import type { ErrorReport, ReadableLog, ReadableLogOptions } from '@ambit/readable';
import { isFrameworkFile } from './framework-files.ts';
import { lazyModule } from './lazy-module.ts';
import { captureStack } from './thrown-values.ts';

const require = createRequire(import.meta.url);
const load = lazyModule<typeof import('@ambit/readable')>(() => require('@ambit/readable'));

/** What only the code that makes an error knows. */
export interface ErrorDescription {
  /** Default: the message. */
  readonly title?: string;
  /** What to write at the mark. Default: the `hint`. */
  readonly advice?: readonly string[] | undefined;
  /** Errors that were found together with this one. */
  readonly others?: readonly unknown[];
  /** What the first line begins with. Default: `Ambit cannot start: `. */
  readonly prefix?: string;
}

const descriptions = new WeakMap<object, ErrorDescription>();

/** Says how an error is to be shown. To be called before its stack is read. */
export function describeError<T extends object>(error: T, description: ErrorDescription): T {
  descriptions.set(error, { ...descriptions.get(error), ...description });
  return error;
}

/** The stacks that errors had before their report became their stack. */
const stacks = new WeakMap<object, () => string>();

/**
 * Makes the report of an error its stack, when that is first read: Node, loggers and tools print it. Fields that the report contains are not
 * listed after it, but are in its JSON. An error that cannot be changed stays as it is.
 *
 * @param isOurs Whether the error is one of the catalogue, so that all of its fields are ours.
 */
export function showReport(error: object, isOurs: boolean): void {
  for (const name of isOurs ? fieldNames : ['where'])
    if (Object.getOwnPropertyDescriptor(error, name)?.configurable)
      Object.defineProperty(error, name, { enumerable: false });
  if (isOurs) Object.defineProperty(error, 'toJSON', { value: toFields, configurable: true });
  replaceStack(error, isOurs, () => {
    const { prefix = 'Ambit cannot start: ' } = descriptions.get(error) ?? {};
    return load().printReport(reportError(error), { prefix, hasCause: false });
  });
  const { cause } = error as { cause?: unknown };
  if (isOurs && typeof cause === 'object' && cause !== null)
    replaceStack(cause, false, (stack) => {
      const [title] = stack.split(/\n\s+at /, 1);
      const { foldStack, printStack } = load();
      return `${title}\n${printStack(foldStack(stack, libraryOf))}`;
    });
}

const fieldNames = ['name', 'code', 'statusCode', 'hint', 'where'] as const;
type OwnError = { readonly [name in (typeof fieldNames)[number]]?: unknown };

function toFields(this: OwnError): object {
  return Object.fromEntries(fieldNames.map((name) => [name, this[name]]));
}

/**
 * Returns what is known of an error, for tools: as objects, to be printed or written as JSON. For an error of boot, that is the place of the
 * mistake in the program; for other errors, the line that threw it.
 *
 * @param error Anything that was thrown.
 */
export function reportError(error: unknown): ErrorReport {
  const key = Object(error) as { readonly code?: string };
  const { title, advice, others } = descriptions.get(key) ?? {};
  const isOurs = ownErrors.has(key);
  return load().reportError(error, {
    title,
    advice,
    docs: isOurs ? `errors#${key.code?.toLowerCase()}` : undefined,
    others: others?.map(reportError),
    stack: stacks.get(key)?.(),
    showsThrow: !isOurs,
    libraryOf,
  });
}

/** The object and the member of which a `TypeError` says that it was `undefined`, as the line of the program has them. */
export function undefinedMember(error: unknown): readonly [object: string, member: string] | undefined {
  const stack = stacks.get(Object(error))?.();
  return error instanceof TypeError ? load().undefinedMember(error, { stack, libraryOf }) : undefined;
}

/** Errors of the catalogue, whose frames have been removed because they are our own. */
const ownErrors = new WeakSet<object>();

/**
 * @param forgetsFrames Whether the frames themselves are removed: Node would print the line that threw the error in front of the stack.
 * @param write Returns the new text for the stack. It is called once, when the stack is first read.
 */
function replaceStack(error: object, forgetsFrames: boolean, write: (stack: string) => string): void {
  const own = Object.getOwnPropertyDescriptor(error, 'stack');
  if (own?.configurable !== true || stacks.has(error)) return;
  const read = (): string => String(own.get === undefined ? own.value : own.get.call(error));
  if (forgetsFrames) {
    const stack = read();
    stacks.set(error, () => stack);
    ownErrors.add(error);
    captureStack(error, 0);
  } else stacks.set(error, read);
  let text: string | undefined;
  Object.defineProperty(error, 'stack', {
    get() {
      text ??= write(stacks.get(error)!());
      return text;
    },
    set(value: string) {
      text = value;
    },
    configurable: true,
    enumerable: false,
  });
}

/**
 * Writes the JSON lines of pino as lines for people, as an application does on a terminal in development. Use it where there is no
 * terminal, too: `logger: { stream: readableLog() }`.
 *
 * @param write Called with complete lines. Default: writes to standard output.
 * @param options Colours, and lines to leave out.
 * @returns The stream for a logger.
 */
export function readableLog(write?: (text: string) => void, options?: ReadableLogOptions): ReadableLog {
  return load().readableLog(write, { libraryOf, ...options });
}

function libraryOf(file: string): string | undefined {
  const library = isFrameworkFile(file) ? 'ambit' : load().inNodeModules(file);
  return library?.startsWith('@ambit/') ? 'ambit' : library;
}
