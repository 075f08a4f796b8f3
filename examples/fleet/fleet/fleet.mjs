// Starts the fleet on this machine: Postgres, Redis, HAProxy and three replicas, in a temporary folder.
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as programs from './programs.mjs';
import { SupervisedProcess } from './supervised-process.mjs';

/**
 * Starts the fleet. A process that ends is started again, until `stop` is called.
 *
 * @param {{ port?: number, env?: Record<string, string> }} options The port of HAProxy (default: a free port), and
 *   environment variables for the replicas.
 * @returns The origin of HAProxy, the processes, and functions that wait for them and stop them.
 * @throws if a server is not installed.
 */
export async function startFleet({ port, env = {} } = {}) {
  const missing = programs.findMissingPackages();
  if (missing.length > 0)
    throw new Error(`On Debian, install the missing packages: apt-get install ${missing.join(' ')}`);

  const folder = mkdtempSync(join(tmpdir(), 'ambit-fleet-'));
  // Postgres runs as another user, who must be able to open the folder.
  chmodSync(folder, 0o711);
  const [balancerPort, postgresPort, redisPort, ...replicaPorts] = await findFreePorts(6);
  const replicaEnv = {
    DATABASE_URL: `postgres://notes@127.0.0.1:${postgresPort}/postgres`,
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    SESSION_SECRET: randomBytes(32).toString('hex'),
    TRUST_PROXY: '127.0.0.1',
    HOST: '127.0.0.1',
    ...env,
  };
  // All processes start at once, because the replicas wait for Postgres and Redis.
  const balancer = new SupervisedProcess(
    'haproxy',
    programs.haproxy(folder, port ?? balancerPort, replicaPorts),
  );
  const replicas = replicaPorts.map((port, i) => {
    const name = `replica-${i + 1}`;
    return new SupervisedProcess(name, programs.replica(folder, name, { ...replicaEnv, PORT: `${port}` }));
  });
  const redis = new SupervisedProcess('redis', programs.redis(folder, redisPort));
  const postgres = new SupervisedProcess('postgres', programs.postgres(folder, postgresPort));
  const processes = [balancer, ...replicas, redis, postgres];
  let isStopping = false;

  return {
    origin: `http://127.0.0.1:${port ?? balancerPort}`,
    folder,
    replicaOrigins: replicaPorts.map((port) => `http://127.0.0.1:${port}`),
    postgres,
    redis,
    replicas,
    processes,
    /** Resolves when each replica is ready, and Postgres and Redis accept connections, or when the fleet stops. */
    async untilReady() {
      const untilTrue = async (isTrue) => {
        while (!isStopping && !(await isTrue())) await wait(50);
      };
      await Promise.all([
        ...replicaPorts.map((port) => untilTrue(() => isReady(port))),
        untilTrue(() => isReady(port ?? balancerPort, '/shared')),
        untilTrue(() => acceptsConnections(redisPort)),
        untilTrue(() => acceptsConnections(postgresPort)),
      ]);
    },
    /** Stops all processes gracefully, and removes the data. */
    async stop() {
      isStopping = true;
      await Promise.all(replicas.map((replica) => replica.stop()));
      for (const supervised of [balancer, redis, postgres]) await supervised.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

async function isReady(port, path = '/readyz') {
  const { ok } = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => ({ ok: false }));
  return ok;
}

async function acceptsConnections(port) {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

/** Ports below those that the system assigns to clients, because a client could get the port of a server that restarts. */
const [lowestPort, highestPort] = [20_000, 32_000];

async function findFreePorts(count) {
  const ports = new Set();
  while (ports.size < count) {
    const port = randomInt(lowestPort, highestPort);
    if (await canListen(port)) ports.add(port);
  }
  return ports;
}

async function canListen(port) {
  const server = createServer().listen(port, '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  server.close();
  return isFree;
}
