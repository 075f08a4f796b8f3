// Owns the packed packages: packs them once before all tests, and serves them from a registry on the loopback interface.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startRegistry } from '../../test/support/registry.mjs';
import { run } from '../../test/support/run.mjs';

const packages = fileURLToPath(new URL('../../../packages/', import.meta.url));

export default async function packPackages({ provide }) {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-packed-'));
  const tarballs = join(folder, 'tarballs');
  mkdirSync(tarballs);
  for (const name of readdirSync(packages))
    await run(join(packages, name), 'npm', [
      'pack',
      '--silent',
      '--ignore-scripts',
      '--pack-destination',
      tarballs,
    ]);
  const files = readdirSync(tarballs).map((name) => join(tarballs, name));
  const own = files.find((file) => file.includes('create-ambit-'));
  // The program has no dependencies, so what is in the tarball is all that it needs.
  await run(folder, 'tar', ['-xzf', own]);
  const registry = await startRegistry(files);
  provide('program', join(folder, 'package/bin/create-ambit.cjs'));
  provide('registry', registry.origin);
  return () => {
    registry.close();
    rmSync(folder, { recursive: true, force: true });
  };
}
