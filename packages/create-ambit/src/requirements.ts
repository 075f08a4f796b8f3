/** What a created application needs: a runtime of some version, and a usage that makes sense. */
import type { Template } from './arguments.ts';

/**
 * Bun and Deno need no Node, and workers are built with it.
 *
 * @returns The reason why this version of Node cannot run or build the application; `undefined` if it can.
 */
export function findNodeObstacle(
  template: Template,
  isJavaScript: boolean,
  runtime: Runtime,
  version: string = process.versions.node,
): string | undefined {
  if (runtime === 'bun' || runtime === 'deno' || runsTypeScript(version)) return undefined;
  const because = (what: string): string => `${what} needs Node 22.18 or newer; this is Node ${version}`;
  if (runtime === 'cloudflare') return because('the build of a worker');
  if (!isJavaScript) return because('TypeScript without a build');
  return template === 'service' ? because('the template service') : undefined;
}

/** @throws {UsageError} if this version of Node cannot run the application. */
export function checkNode(template: Template, isJavaScript: boolean, runtime: Runtime): void {
  const obstacle = findNodeObstacle(template, isJavaScript, runtime);
  if (obstacle === undefined) return;
  const isHelpedByJavaScript = template === 'minimal' && runtime === 'node';
  const advice = isHelpedByJavaScript ? ', or add --javascript' : '';
  throw new UsageError(`${obstacle}. Install a newer Node${advice}`);
}

/** Node runs TypeScript without a flag from 22.18, and 23 from 23.6. These versions also have SQLite without a flag. */
function runsTypeScript(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === 22) return minor >= 18;
  if (major === 23) return minor >= 6;
  return major > 23;
}

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

/** An error that the user can correct. The program prints only its message. */
export class UsageError extends Error {
  override name = 'UsageError';
}
