// Runs npm scripts and functions as named steps, and prints a header, the result and the duration of each step.
import { spawnSync } from 'node:child_process';

export const isWindows = process.platform === 'win32';

export function npm(args) {
  const { status, error } = spawnSync('npm', args, { stdio: 'inherit', shell: isWindows });
  if (error) throw error;
  return status ?? 1;
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

export function runScript(title, script) {
  return runStep(title, () => npm(['run', '--silent', script]));
}
