// The commands that start the servers in the folder of the fleet, with their paths on Debian.
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const postgresFolder = '/usr/lib/postgresql';

/** @returns {string[]} The Debian packages that are missing. */
export function findMissingPackages() {
  const packages = {
    haproxy: '/usr/sbin/haproxy',
    'redis-server': '/usr/bin/redis-server',
    postgresql: postgresFolder,
  };
  return Object.keys(packages).filter((name) => !existsSync(packages[name]));
}

export function postgres(folder, port) {
  const [newest] = readdirSync(postgresFolder).sort((a, b) => Number(b) - Number(a));
  const programs = join(postgresFolder, newest, 'bin');
  const data = join(folder, 'postgres');
  mkdirSync(data);
  // Postgres refuses to run as root.
  const user = process.getuid() === 0 ? readUser('postgres') : {};
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid);
  const options = { ...user, cwd: data };
  execFileSync(join(programs, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'notes'], options);
  return {
    program: join(programs, 'postgres'),
    args: ['-D', data, '-k', data, '-p', `${port}`, '-c', 'listen_addresses=127.0.0.1'],
    options,
    logFile: join(folder, 'postgres.log'),
    // On SIGINT, Postgres closes its connections and then stops.
    stopSignal: 'SIGINT',
  };
}

function readUser(name) {
  const id = (flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Redis appends each write to a file, so that sessions survive a restart. */
export function redis(folder, port) {
  const data = join(folder, 'redis');
  mkdirSync(data);
  return {
    program: '/usr/bin/redis-server',
    args: ['--bind', '127.0.0.1', '--port', `${port}`, '--dir', data, '--appendonly', 'yes', '--save', ''],
    logFile: join(folder, 'redis.log'),
  };
}

export function haproxy(folder, port, replicaPorts) {
  const env = { ...process.env, BALANCER: `127.0.0.1:${port}` };
  for (const [i, replicaPort] of replicaPorts.entries()) env[`REPLICA_${i + 1}`] = `127.0.0.1:${replicaPort}`;
  return {
    program: '/usr/sbin/haproxy',
    args: ['-f', pathOf('../haproxy.cfg'), '-db'],
    options: { env },
    logFile: join(folder, 'haproxy.log'),
  };
}

export function replica(folder, name, env) {
  return {
    program: process.execPath,
    args: [pathOf('../server.mjs')],
    options: { env: { ...process.env, NODE_ENV: 'production', ...env } },
    logFile: join(folder, `${name}.log`),
  };
}
