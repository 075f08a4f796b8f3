/** Which version of Node an application needs. */
import type { Template } from './arguments.ts';
import { UsageError } from './usage-error.ts';

/** @returns Why this version of Node cannot run the application; `undefined` if it can. */
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

/** @throws {UsageError} if this version of Node cannot run the application. */
export function checkNode(template: Template, isJavaScript: boolean): void {
  const obstacle = findObstacle(template, isJavaScript);
  if (obstacle === undefined) return;
  const what = template === 'service' ? '' : ', or add --javascript';
  throw new UsageError(`${obstacle}. Install a newer Node${what}`);
}

/** Node runs TypeScript without a flag from 22.18, and 23 from 23.6. These versions also have SQLite without a flag. */
function runsTypeScript(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === 22) return minor >= 18;
  if (major === 23) return minor >= 6;
  return major > 23;
}
