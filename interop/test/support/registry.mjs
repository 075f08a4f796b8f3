// Owns a registry on the loopback interface: hands out tarballs under the names that they have, and sends on for everything else.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * @param {string[]} tarballs
 * @returns {Promise<{ origin: string, close(): void }>} To be closed when all installs are done.
 */
export async function startRegistry(tarballs) {
  const packages = new Map(tarballs.map(readPackage).map((found) => [found.manifest.name, found]));
  const others = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url.slice(1));
    const found = packages.get(path.replace(/\.tgz$/, ''));
    if (found === undefined)
      response.writeHead(302, { location: new URL(request.url.slice(1), others).href }).end();
    else if (path.endsWith('.tgz')) response.end(found.bytes);
    else response.setHeader('content-type', 'application/json').end(describe(found, originOf(server)));
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return { origin: originOf(server), close: () => server.close() };
}

function originOf(server) {
  return `http://localhost:${server.address().port}`;
}

function readPackage(file) {
  const manifest = execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' });
  return { manifest: JSON.parse(manifest), bytes: readFileSync(file) };
}

/** What package managers ask for by the name of a package. */
function describe({ manifest, bytes }, origin) {
  const { name, version } = manifest;
  const hash = (algorithm, encoding) => createHash(algorithm).update(bytes).digest(encoding);
  const dist = {
    tarball: `${origin}/${name}.tgz`,
    shasum: hash('sha1', 'hex'),
    integrity: `sha512-${hash('sha512', 'base64')}`,
  };
  const time = { [version]: '2020-01-01T00:00:00.000Z' };
  return JSON.stringify({
    name,
    'dist-tags': { latest: version },
    time,
    versions: { [version]: { ...manifest, dist } },
  });
}
