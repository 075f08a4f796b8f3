// What scripts share: the folder of the repository, npm, and functions as named steps, each with a header, its result and its duration.
import { spawnSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The folder of the repository, with a slash at the end. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Whether Node runs a module as its program. Otherwise, another module has imported it. */
export const isProgram = (url) => url === pathToFileURL(process.argv[1]).href;

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
  const { stdout, stderr, status } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    shell: isWindows,
  });
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
