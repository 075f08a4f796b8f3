/** Imports the module of an application, and says what to do if that fails. */
import { pathToFileURL } from 'node:url';
import { CommandError } from '../command-error.ts';
import { firstLines, toCommandError } from './application-failure.ts';
import { locationInProgram, locationOfSyntaxError } from './error-location.ts';

/** @throws {CommandError} */
export async function importModule(file: string, displayPath: string): Promise<Record<string, unknown>> {
  const { href } = pathToFileURL(file);
  try {
    return await import(href);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    const { code, message = String(cause) } = Object(cause) as NodeJS.ErrnoException;
    const remedy = remedyOf(code, message);
    const location =
      cause instanceof SyntaxError ? locationOfSyntaxError(cause, href) : locationInProgram(cause);
    if (remedy === undefined)
      throw toCommandError(cause, displayPath, 'the module cannot be imported', location);
    throw new CommandError({
      file: location ?? displayPath,
      problem: `the module cannot be imported: ${firstLines(message)}`,
      remedy,
      cause,
    });
  }
}

function remedyOf(code: string | undefined, message: string): string | undefined {
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')
    return 'Check the path, which needs its file extension, or install the package.';
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return 'Node only removes types: set `erasableSyntaxOnly` in tsconfig.json, and write no enums, namespaces or parameter properties.';
  if (/(require|module|exports) is not defined in ES module scope/.test(message))
    return 'Write it as an ES module (`import`, `export default`), or name it .cjs.';
  if (/Cannot use import statement outside a module|Unexpected token 'export'/.test(message))
    return 'Set "type": "module" in package.json, or name it .mjs.';
  return undefined;
}
