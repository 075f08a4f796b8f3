// Downloads one file of Scalar's API reference, the documentation page, to `packages/openapi/assets`. The package is
// pinned by its hash. It is not a dependency, because it has 240 MB with all its dependencies.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { isWindows } from './steps.mjs';

const scalar = {
  name: '@scalar/api-reference',
  version: '1.46.4',
  integrity:
    'sha512-EpCcOG15Ry8DKNs/f5AdRA97s1B5kGPekzANpnK0j1IpyU4Sb/mfdyfB00WC+vUo7hfc4BFRSkkiPa5SSM7fng==',
  file: 'package/dist/browser/standalone.js',
};
const root = fileURLToPath(new URL('..', import.meta.url));
const assets = `${root}packages/openapi/assets`;
const target = `${assets}/scalar.js.gz`;
const stamp = `${root}.cache/vendor/scalar-${scalar.version}`;

/** Does nothing if the file exists in this version. */
export function vendorScalar() {
  if (existsSync(target) && existsSync(stamp)) return;
  const script = readFromTar(gunzipSync(download()), scalar.file);
  mkdirSync(assets, { recursive: true });
  writeFileSync(target, gzipSync(script, { level: 9 }));
  writeFileSync(stamp, '');
}

/** Downloads the tarball with npm, which knows the registry and has a cache. */
function download() {
  const folder = `${root}.cache/vendor`;
  mkdirSync(folder, { recursive: true });
  const args = [
    'pack',
    `${scalar.name}@${scalar.version}`,
    '--json',
    '--prefer-offline',
    '--pack-destination',
    folder,
  ];
  const { status, stdout, stderr } = spawnSync('npm', args, {
    encoding: 'utf8',
    shell: isWindows,
    cwd: folder,
  });
  if (status !== 0) throw new Error(`npm pack ${scalar.name} ended with ${status}\n${stderr}`);
  const [{ filename }] = JSON.parse(stdout);
  const tarball = readFileSync(`${folder}/${filename.replace('@', '').replace('/', '-')}`);
  const hash = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  if (hash !== scalar.integrity)
    throw new Error(`${scalar.name}@${scalar.version} has an unexpected hash: ${hash}`);
  return tarball;
}

/** Reads one file of a tar archive, which has headers of 512 bytes and contents that are padded to a multiple of 512. */
function readFromTar(tar, wanted) {
  for (let offset = 0; offset + 512 <= tar.length; ) {
    const text = (from, length) =>
      tar.toString('utf8', offset + from, offset + from + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 12), 8) || 0;
    const name = [text(345, 155), text(0, 100)].filter((part) => part !== '').join('/');
    if (name === wanted) return tar.subarray(offset + 512, offset + 512 + size);
    offset += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`${wanted} is not in the archive`);
}
