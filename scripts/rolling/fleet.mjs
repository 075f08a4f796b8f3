// Three replicas of one framework, what is in front of them, and the load on them.
import { startLoad } from './load.mjs';
import { startProxy } from './proxies.mjs';
import { startProcesses, startWorkers } from './replicas.mjs';
import { startWrk } from './wrk.mjs';

/** Where clients send their requests, and the mean time in milliseconds between two requests of one of them. */
export const scenes = {
  haproxy: { title: 'behind HAProxy', isProxied: true, hasWrk: true, start: startProcesses, pauseMs: 50 },
  nginx: { title: 'behind nginx', isProxied: true, hasWrk: true, start: startProcesses, pauseMs: 50 },
  cluster: { title: 'workers of `node:cluster`', hasWrk: true, start: startWorkers, pauseMs: 50 },
  // Connections are idle most of the time: a client uses each of its three about every 0.6 seconds.
  direct: { title: 'no proxy', start: startProcesses, pauseMs: 100 },
};

/**
 * @param {string} folder Where proxies and wrk keep their files.
 * @param {number} delayMs How long an old replica of Ambit serves everything.
 */
export async function startFleet(name, framework, folder, delayMs) {
  const { isProxied, hasWrk, start, pauseMs } = scenes[name];
  const replicas = await start(framework, delayMs);
  const proxy = isProxied ? await startProxy(name, folder, replicas.ports) : undefined;
  const ports = proxy === undefined ? replicas.ports : [proxy.port];
  const load = startLoad(ports, pauseMs);
  const wrk = hasWrk ? await startWrk(ports[0], folder) : undefined;
  return {
    framework,
    restart: (number) => replicas.restart(number),
    async stop() {
      const [clients, ofWrk] = await Promise.all([load.stop(), wrk?.stop()]);
      await proxy?.stop();
      replicas.kill();
      return { clients, wrk: ofWrk };
    },
  };
}
