/** Finds the module of an application: from the command line, from package.json, or one of the usual files. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { CommandError } from '../command.ts';

const usualNames = ['src/app', 'app'];
const extensions = ['.ts', '.js', '.mjs'];

/**
 * @param appArgument The argument `[app]` of the command, relative to the working directory.
 * @returns The absolute path of the module.
 * @throws {CommandError} if there is none.
 */
export function findApplication(appArgument: string | undefined, folder: string = process.cwd()): string {
  if (appArgument !== undefined) return findNamed(appArgument, resolve(folder, appArgument));
  const manifest = findManifest(folder);
  const root = manifest === undefined ? folder : dirname(manifest);
  const declared = manifest === undefined ? undefined : readDeclared(manifest);
  if (declared !== undefined)
    return findNamed(`\`ambit.app\` of ${toDisplayPath(manifest!)}`, join(root, declared));
  for (const searched of new Set([folder, root])) {
    for (const name of usualNames) {
      const file = extensions
        .map((extension) => join(searched, name + extension))
        .find((path) => existsSync(path));
      if (file !== undefined) return file;
    }
  }
  throw new CommandError({
    problem: `there is no application in ${root}: neither src/app nor app with .ts, .js or .mjs`,
    remedy: 'Name the module as the last argument, or as `ambit.app` in package.json.',
  });
}

/** A path as the user would type it. */
export function toDisplayPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path === '' || path.startsWith('..') ? file : path;
}

/** The folder of the package to which a file belongs, or the folder of the file if there is no package.json above it. */
export function packageFolder(file: string): string {
  const manifest = findManifest(dirname(file));
  return manifest === undefined ? dirname(file) : dirname(manifest);
}

/** The name in the package.json of the package to which a file belongs. */
function packageName(file: string): string | undefined {
  const manifest = findManifest(dirname(file));
  try {
    return JSON.parse(readFileSync(manifest!, 'utf8')).name;
  } catch {
    return undefined;
  }
}

/** Whether a file belongs to Ambit. In its repository, its files are not in `node_modules`. */
export function isOurs(file: string): boolean {
  return /^(@ambit\/|ambit$)/.test(packageName(file) ?? '');
}

function findNamed(name: string, file: string): string {
  if (!existsSync(file)) {
    throw new CommandError({
      problem: `${name}: there is no such file`,
      remedy: 'The last argument of a command is the module of the application.',
    });
  }
  if (!statSync(file).isDirectory()) return file;
  throw new CommandError({
    problem: `${name} is a folder`,
    remedy: 'Name the module of the application: `src/app.ts`.',
  });
}

function findManifest(folder: string): string | undefined {
  const file = join(folder, 'package.json');
  if (existsSync(file)) return file;
  const above = dirname(folder);
  return above === folder ? undefined : findManifest(above);
}

function readDeclared(manifest: string): string | undefined {
  let content: { ambit?: { app?: unknown } } | null;
  try {
    content = JSON.parse(readFileSync(manifest, 'utf8'));
  } catch (cause) {
    throw new CommandError({ file: toDisplayPath(manifest), problem: `it is not JSON: ${cause}`, cause });
  }
  const app = content?.ambit?.app;
  if (app === undefined || typeof app === 'string') return app;
  throw new CommandError({
    file: toDisplayPath(manifest),
    problem: '`ambit.app` is not a string',
    remedy: 'It is the path of the module of the application: "src/app.ts".',
  });
}
