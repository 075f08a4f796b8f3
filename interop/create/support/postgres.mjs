// Owns a server of Postgres for the tests, on a socket in its own folder.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const versions = '/usr/lib/postgresql';

/** Starts a server with an empty database. @returns Its URL, the folder of its socket, and what stops it. */
export async function startPostgres() {
  const [newest] = readdirSync(versions).sort((a, b) => Number(b) - Number(a));
  const programs = join(versions, newest, 'bin');
  const folder = mkdtempSync(join(tmpdir(), 'ambit-postgres-'));
  // Postgres refuses to run as root.
  const user = process.getuid() === 0 ? readUser('postgres') : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  execFileSync(join(programs, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres'], {
    ...user,
    cwd: folder,
  });
  const server = spawn(join(programs, 'postgres'), ['-D', data, '-k', folder, '-c', 'listen_addresses='], {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  for await (const text of server.stderr.iterator({ destroyOnReturn: false })) {
    printed += text;
    if (printed.includes('ready to accept connections')) break;
  }
  server.stderr.resume();
  if (!printed.includes('ready to accept connections')) throw new Error(`Postgres did not start\n${printed}`);
  return {
    url: `postgres://postgres@localhost/postgres?host=${folder}`,
    folder,
    async stop() {
      // SIGINT ends the connections that are open, and then the server.
      server.kill('SIGINT');
      await once(server, 'exit');
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

function readUser(name) {
  const id = (flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
