// Downloads one file of Scalar's API reference, the documentation page, to `packages/openapi/assets`. The package is
// pinned by its hash. It is not a dependency, because it has 240 MB with all its dependencies.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { isWindows, root } from './steps.mjs';

const scalar = {
  name: '@scalar/api-reference',
  version: '1.46.4',
  integrity:
    'sha512-EpCcOG15Ry8DKNs/f5AdRA97s1B5kGPekzANpnK0j1IpyU4Sb/mfdyfB00WC+vUo7hfc4BFRSkkiPa5SSM7fng==',
  file: 'package/dist/browser/standalone.js',
};
const assets = `${root}packages/openapi/assets`;
const target = `${assets}/scalar.js.gz`;
const folder = `${root}.cache/vendor`;
const stamp = `${folder}/scalar-${scalar.version}`;

/** Does nothing if the file exists in this version. */
export function vendorScalar() {
  if (existsSync(target) && existsSync(stamp)) return;
  const script = run('tar', ['-xzOf', download(), scalar.file]);
  mkdirSync(assets, { recursive: true });
  writeFileSync(target, gzipSync(script, { level: 9 }));
  writeFileSync(stamp, '');
}

/** Downloads the tarball with npm, which knows the registry and has a cache. @returns its path */
function download() {
  mkdirSync(folder, { recursive: true });
  const args = ['pack', `${scalar.name}@${scalar.version}`, '--json', '--prefer-offline'];
  const [{ filename }] = JSON.parse(run('npm', args, { shell: isWindows }));
  const tarball = `${folder}/${filename.replace('@', '').replace('/', '-')}`;
  const hash = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (hash !== scalar.integrity)
    throw new Error(`${scalar.name}@${scalar.version} has an unexpected hash: ${hash}`);
  return tarball;
}

function run(command, args, options) {
  const settings = { cwd: folder, maxBuffer: 2 ** 26, ...options };
  const { status, stdout, stderr } = spawnSync(command, args, settings);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stderr}`);
  return stdout;
}
