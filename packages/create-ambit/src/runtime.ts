/** The runtimes that an application can be created for. */
import type { Template } from './arguments.ts';

/** The runtimes with their names. The first is the default. */
export const runtimes = {
  node: 'Node',
  bun: 'Bun',
  deno: 'Deno',
  cloudflare: 'Cloudflare Workers, on workerd',
} as const;

export type Runtime = keyof typeof runtimes;

/** The runtime with a name; `undefined` if there is none. */
export function findRuntime(name: string): Runtime | undefined {
  if (name === 'workerd') return 'cloudflare';
  return Object.hasOwn(runtimes, name) ? (name as Runtime) : undefined;
}

/** The folder of a template in the package. */
export function folderOf(template: Template, runtime: Runtime): string {
  return runtime === 'node' ? template : `${template}-${runtime}`;
}
