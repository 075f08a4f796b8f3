/** Finds the copy of `ambit` that made an application. Its functions know only applications of their own copy. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as ambit from 'ambit';
import { CommandError } from '../command-error.ts';

/** The functions of `ambit` that commands use. */
export type Framework = typeof ambit;

/** The packages through which an application may get its copy. */
const facades = ['@ambit/fastify', 'fastify', '@ambit/openapi'];

/**
 * @param file The module of the application.
 * @param shown The same, for messages.
 * @throws {CommandError} if no copy that can be found has made the application.
 */
export function findFramework(app: ambit.Context, file: string, shown: string): Framework {
  const found = new Map<string, Framework>();
  for (const resolveFrom of places(file)) {
    const path = resolveFrom('ambit');
    if (path !== undefined && !found.has(path)) found.set(path, createRequire(file)(path) as Framework);
  }
  for (const framework of found.values()) if (hasMade(framework, app)) return framework;
  if (Reflect.ownKeys(app).some((key) => String(key) === 'Symbol(fastify.state)')) {
    throw new CommandError({
      file: shown,
      problem: 'Fastify has made the application, not Ambit',
      remedy: 'Install the facade in its place: npm install fastify@npm:@ambit/fastify.',
    });
  }
  throw new CommandError({
    file: shown,
    problem: `another copy of ambit has made the application than ${[...found.keys()].join(', ') || 'the one of this command'}`,
    remedy: '`npm ls ambit` shows the copies; `npm dedupe` leaves one.',
  });
}

function hasMade(framework: Framework, app: ambit.Context): boolean {
  try {
    framework.listRoutes(app);
    return true;
  } catch {
    return false;
  }
}

/** Loads a package as the application would; as this command would, if the application does not have it. */
export function loadFor<Module>(file: string, name: string): Module {
  for (const from of [pathToFileURL(file), import.meta.url]) {
    const load = createRequire(from);
    if (resolveWith(load, name) !== undefined) return load(name) as Module;
  }
  throw new CommandError({ problem: `${name} is not installed`, remedy: `Install it: npm install ${name}.` });
}

type Resolve = (name: string) => string | undefined;

function places(file: string): Resolve[] {
  const own = createRequire(pathToFileURL(file));
  const throughFacades = facades
    .map((name) => resolveWith(own, name))
    .filter((path) => path !== undefined)
    .map((path) => createRequire(pathToFileURL(path)));
  return [own, ...throughFacades, createRequire(import.meta.url)].map(
    (load) => (name) => resolveWith(load, name),
  );
}

function resolveWith(load: NodeJS.Require, name: string): string | undefined {
  try {
    return load.resolve(name);
  } catch {
    return undefined;
  }
}
