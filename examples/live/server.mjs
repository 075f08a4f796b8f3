// A page with live events and uploads: open it in two windows and write in one of them.
import { readFile } from 'node:fs/promises';
import { openapi } from '@ambit/openapi';
import { ambit } from 'ambit';
import { pictures } from './pictures.mjs';
import { room } from './room.mjs';

const page = await readFile(new URL('page.html', import.meta.url));

const app = ambit({ logger: true });
app.register(openapi, { info: { title: 'Live', version: '1.0.0' } });
app.get('/', { schema: { hide: true } }, (_request, reply) =>
  reply.type('text/html; charset=utf-8').send(page),
);
app.register(room);
app.register(pictures);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    app.log.info(`${signal}: closing`);
    await app.close();
  });
}

await app.listen({ port: Number(process.env.PORT || 3000) });
const [{ port }] = app.addresses();
console.log(`
Open in two windows:
  http://localhost:${port}/
Or:
  curl -N localhost:${port}/events
  curl localhost:${port}/messages -H 'content-type: application/json' -d '{"from":"curl","text":"hello"}'
  curl localhost:${port}/pictures -F caption=cat -F picture=@cat.png
Read:
  http://localhost:${port}/docs
`);
