/** Finds the copy of `ambit` that created an application, because the functions of a copy accept only its own applications; adds the inspector. */

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as ambit from 'ambit';
import type { Context } from 'ambit';
import { CommandError } from '../command.ts';
import type { Application } from './load-application.ts';

/** The functions of `ambit` that commands use. */
export type Framework = typeof ambit;

/** The packages that may bring the application's copy. */
const facades = ['@ambit/fastify', 'fastify', '@ambit/openapi'];

/**
 * @param file The module of the application.
 * @param displayPath The same module, for messages.
 * @throws {CommandError} if the copy that created the application cannot be found.
 */
export function findFramework(app: ambit.Context, file: string, displayPath: string): Framework {
  const frameworks = new Map<string, Framework>();
  for (const resolveFrom of resolvers(file)) {
    const path = resolveFrom('ambit');
    if (path !== undefined && !frameworks.has(path))
      frameworks.set(path, createRequire(file)(path) as Framework);
  }
  for (const framework of frameworks.values()) if (hasCreated(framework, app)) return framework;
  if (Reflect.ownKeys(app).some((key) => String(key) === 'Symbol(fastify.state)')) {
    throw new CommandError({
      file: displayPath,
      problem: 'Fastify has made the application, not Ambit',
      remedy: 'Install the facade in its place: npm install fastify@npm:@ambit/fastify.',
    });
  }
  throw new CommandError({
    file: displayPath,
    problem: `another copy of ambit has made the application than ${[...frameworks.keys()].join(', ') || 'the one of this command'}`,
    remedy: '`npm ls ambit` shows the copies; `npm dedupe` leaves one.',
  });
}

function hasCreated(framework: Framework, app: ambit.Context): boolean {
  try {
    framework.listRoutes(app);
    return true;
  } catch {
    return false;
  }
}

/** Loads the package of the application, or that of this command if the application does not have one. */
export function loadFor<Module>(file: string, name: string): Module {
  for (const from of [pathToFileURL(file), import.meta.url]) {
    const load = createRequire(from);
    if (resolveWith(load, name) !== undefined) return load(name) as Module;
  }
  throw new CommandError({ problem: `${name} is not installed`, remedy: `Install it: npm install ${name}.` });
}

type Resolve = (name: string) => string | undefined;

function resolvers(file: string): Resolve[] {
  const appRequire = createRequire(pathToFileURL(file));
  const throughFacades = facades
    .map((name) => resolveWith(appRequire, name))
    .filter((path) => path !== undefined)
    .map((path) => createRequire(pathToFileURL(path)));
  return [appRequire, ...throughFacades, createRequire(import.meta.url)].map(
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

type Inspector = typeof import('@ambit/inspector');

const path = '/__ambit';

/**
 * @returns The path of its page; `undefined` if the application has already booted, or in production, because the page would need a guard.
 */
export function mountInspector({ app, file }: Application): string | undefined {
  if (process.env.NODE_ENV === 'production') return undefined;
  const { inspector } = loadFor<Inspector>(file, '@ambit/inspector');
  try {
    // It is registered last, so it runs after the plugins of the application. One of them may be the inspector.
    const mount = async (context: Context): Promise<void> => {
      if (!app.hasRoute({ method: 'GET', url: path })) await inspector(context as never, { path });
    };
    // The name of the package says that it is not a plugin of the application.
    app.register(Object.defineProperty(mount, 'name', { value: '@ambit/cli' }) as never);
    return path;
  } catch {
    return undefined;
  }
}

/** @returns The path of the page of the documentation: a hidden page with hidden files below it, which is not the inspector. */
export function findDocs({
  app,
  framework,
  mountedPath = path,
}: Pick<Application, 'app' | 'framework'> & { readonly mountedPath?: string | undefined }):
  | string
  | undefined {
  const hidden = framework
    .listRoutes(app)
    .filter(
      ({ method, options, isAutomatic }) => !isAutomatic && method === 'GET' && options.schema?.hide === true,
    )
    .map(({ url }) => url)
    .filter((url) => !url.endsWith(mountedPath) && !url.includes(`${mountedPath}/`));
  return hidden.find((url) => hidden.some((other) => other.startsWith(`${url.replace(/\/$/, '')}/`)));
}
