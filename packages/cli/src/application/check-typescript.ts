/** Rejects TypeScript if Node cannot run it, and says what to do. */
import { CommandError } from '../command.ts';

/** The properties of the process that the check reads. */
export interface Runtime {
  readonly version: string;
  /** How Node handles types; `undefined` or `false` if it does not run TypeScript. */
  readonly typescript: unknown;
  /** Options of Node that may load another compiler. */
  readonly options: string;
}

function thisRuntime(): Runtime {
  const { typescript } = process.features as { typescript?: unknown };
  const options = `${process.execArgv.join(' ')} ${process.env.NODE_OPTIONS ?? ''}`;
  return { version: process.versions.node, typescript, options };
}

/** @throws {CommandError} if the file is TypeScript, and Node does not run it. */
export function checkTypescript(file: string, displayPath: string, runtime: Runtime = thisRuntime()): void {
  if (!/\.[cm]?ts$/.test(file) || runtime.typescript) return;
  if (
    /--(import|require|loader|experimental-loader|experimental-strip-types)\b|(^| )-r /.test(runtime.options)
  )
    return;
  const [major, minor] = runtime.version.split('.').map(Number) as [number, number];
  const mayStrip = major === 22 && minor >= 6;
  const flag = mayStrip
    ? 'set NODE_OPTIONS=--experimental-strip-types'
    : 'compile it and name the JavaScript';
  throw new CommandError({
    file: displayPath,
    problem: `Node ${runtime.version} does not run TypeScript`,
    remedy: `Use Node 22.18 or newer, or ${flag}.`,
  });
}
