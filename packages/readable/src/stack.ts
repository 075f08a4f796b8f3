/** Which frames of a stack are the user's, and how many belong to libraries? */
import { fileURLToPath } from 'node:url';

/** A line of a stack. */
export interface Frame {
  /** The name of the function, as the runtime writes it; absent for code of a module. */
  readonly function?: string;
  /** The path of the file, or a name such as `node:net`. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
}

/** Says to which library a file belongs; `undefined` for a file of the program. */
export type LibraryOf = (file: string) => string | undefined;

/** A stack whose frames of libraries are only counted. */
export interface FoldedStack {
  /** The frames of the program, the innermost first. */
  readonly frames: readonly Frame[];
  /** The number of the other frames. */
  readonly foldedCount: number;
  /** The names of the libraries of the other frames. Frames of the runtime itself count, but are not named. */
  readonly libraries: readonly string[];
}

/** The longest text that is read: the first half has a message, the second half has frames behind a long one. */
const longestStack = 64 * 1024;

const frameLine = /^\s+at (?:(.+?) \(|async )?((?:[A-Za-z]:[\\/]|[a-z]+:|\/)?[^()]*?):(\d+):(\d+)\)?$/;

/**
 * Finds the frames of the program in a stack, and counts the others.
 *
 * @param stack The text of a stack, as V8 writes it: each frame begins with `at`.
 * @param libraryOf Says which files belong to libraries. Default: those in `node_modules`.
 */
export function foldStack(stack: string, libraryOf: LibraryOf = inNodeModules): FoldedStack {
  const frames: Frame[] = [];
  const libraries = new Set<string>();
  let foldedCount = 0;
  const half = longestStack / 2;
  const shortStack = stack.length <= longestStack ? stack : `${stack.slice(0, half)}\n${stack.slice(-half)}`;
  for (const text of shortStack.split('\n')) {
    const frame = readFrame(text);
    const library = frame && libraryOf(frame.file);
    if (frame !== undefined && library === undefined && !isOfRuntime(frame.file)) frames.push(frame);
    else if (/^\s+at /.test(text)) foldedCount++;
    if (library !== undefined) libraries.add(library);
  }
  return { frames, foldedCount, libraries: [...libraries] };
}

/** @returns The location in a line of a stack, or in a text such as `/app/server.mjs:5:11`. */
export function readFrame(text: string): Frame | undefined {
  const [, name, place, line, column] = frameLine.exec(/^\s+at /.test(text) ? text : ` at ${text}`) ?? [];
  if (place === undefined) return undefined;
  const file = pathOf(place);
  return { ...(name && { function: name }), file, line: Number(line), column: Number(column) };
}

/** The path of a file. A URL that is none of a file here, such as one of another machine, stays as it is. */
function pathOf(place: string): string {
  try {
    return place.startsWith('file:') ? fileURLToPath(place) : place;
  } catch {
    return place;
  }
}

/** Returns the name of the innermost package in a folder `node_modules`; `undefined` for other files. @param file The path. */
export function inNodeModules(file: string): string | undefined {
  return /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1]?.replace('\\', '/');
}

function isOfRuntime(file: string): boolean {
  return /^(?:node|bun|ext|native|deno):|^<anonymous>|^\[/.test(file) || file === 'native';
}
