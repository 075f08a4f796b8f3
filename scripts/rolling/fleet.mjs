// Starts three replicas of one framework, the proxy in front of them, and the load on them.
import { startLoad } from './load.mjs';
import { startProxy } from './proxies.mjs';
import { startProcesses, startWorkers } from './replicas.mjs';
import { startWrk } from './wrk.mjs';

/** How the replicas are deployed, and the mean time in milliseconds between two requests of one client. */
export const scenes = {
  haproxy: { title: 'behind HAProxy', isProxied: true, hasWrk: true, start: startProcesses, pauseMs: 50 },
  nginx: { title: 'behind nginx', isProxied: true, hasWrk: true, start: startProcesses, pauseMs: 50 },
  cluster: { title: 'workers of `node:cluster`', hasWrk: true, start: startWorkers, pauseMs: 50 },
  // Connections are idle most of the time: a client uses each of its three connections about every 0.6 seconds.
  direct: { title: 'no proxy', start: startProcesses, pauseMs: 100 },
};

/**
 * @param {string} folder The folder for the files of proxies and wrk.
 * @param {number} delayMs How long an old replica of Ambit serves requests as before after SIGTERM.
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
      const [clients, wrkResult] = await Promise.all([load.stop(), wrk?.stop()]);
      await proxy?.stop();
      replicas.kill();
      return { clients, wrk: wrkResult };
    },
  };
}
