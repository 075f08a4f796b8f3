// Runs npm, and functions as named steps: prints a header, the result and the duration of each step.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const isWindows = process.platform === 'win32';

export function npm(args) {
  const { status, error } = spawnSync('npm', args, { stdio: 'inherit', shell: isWindows });
  if (error) throw error;
  return status ?? 1;
}

/** Packs packages of the workspace as they are published, without building them. @returns `{ name, filename, files }` of each. */
export function packPackages(folders, destination) {
  const workspaces = folders.flatMap((folder) => ['--workspace', `packages/${folder}`]);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination, ...workspaces];
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { stdout, stderr, status } = spawnSync('npm', args, { cwd, encoding: 'utf8', shell: isWindows });
  if (status !== 0) throw new Error(`the packages cannot be packed\n${stderr}`);
  return JSON.parse(stdout);
}

export function formatDuration(startedMs) {
  return `${((performance.now() - startedMs) / 1000).toFixed(1)} s`;
}

export function runStep(title, execute) {
  console.log(`\n=== ${title}`);
  const startedMs = performance.now();
  const passed = execute() === 0;
  console.log(`--- ${title}: ${passed ? 'ok' : 'FAILED'} in ${formatDuration(startedMs)}`);
  return passed;
}
