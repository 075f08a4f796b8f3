// `npm start`: runs the fleet on this machine until Ctrl-C.
import { once } from 'node:events';
import { startFleet } from './fleet/fleet.mjs';

const fleet = await startFleet(process.env.PORT ? { port: Number(process.env.PORT) } : {});
const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await Promise.race([fleet.untilReady(), ended]);

const { origin, folder, processes } = fleet;
console.log(`
Running (a process that ends is restarted):
${processes.map(({ name, pid }) => `  ${name.padEnd(9)}  pid ${String(pid).padEnd(8)} ${folder}/${name}.log`).join('\n')}

Try:
  curl ${origin}/users -H 'content-type: application/json' -d '{"name":"ada","password":"correct horse"}'
  curl -c cookies ${origin}/session -H 'content-type: application/json' -d '{"name":"ada","password":"correct horse"}'
  curl -b cookies ${origin}/notes -H 'content-type: application/json' -H "idempotency-key: $(uuidgen)" -d '{"text":"milk","isShared":true}'
  curl ${origin}/shared
Break it:
  kill -9 <pid>
Read:
  ${origin}/docs
`);

await ended;
console.log('Stopping');
await fleet.stop();
