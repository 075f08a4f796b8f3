/** Collects the warnings of the process. */

export async function warningsOf(run: () => unknown): Promise<NodeJS.ErrnoException[]> {
  const warnings: NodeJS.ErrnoException[] = [];
  const listener = (warning: NodeJS.ErrnoException): void => void warnings.push(warning);
  process.on('warning', listener);
  await run();
  // Warnings are emitted a turn later.
  await new Promise(setImmediate);
  process.off('warning', listener);
  return warnings;
}
