/** Checks the version of Node that an application needs. */
import type { Template } from './arguments.ts';
import type { Runtime } from './runtime.ts';
import { UsageError } from './usage-error.ts';

/** @returns The reason why this version of Node cannot run the application; `undefined` if it can. */
export function findObstacle(
  template: Template,
  isJavaScript: boolean,
  version: string = process.versions.node,
): string | undefined {
  if (runsTypeScript(version)) return undefined;
  if (!isJavaScript) return `TypeScript without a build needs Node 22.18 or newer; this is Node ${version}`;
  if (template === 'service')
    return `the template service needs Node 22.18 or newer; this is Node ${version}`;
  return undefined;
}

/** The same for any runtime: Bun and Deno do not need Node, and workers are built with it. */
export function findNodeObstacle(
  template: Template,
  isJavaScript: boolean,
  runtime: Runtime,
  version: string = process.versions.node,
): string | undefined {
  if (runtime === 'node') return findObstacle(template, isJavaScript, version);
  if (runtime !== 'cloudflare' || runsTypeScript(version)) return undefined;
  return `the build of a worker needs Node 22.18 or newer; this is Node ${version}`;
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
