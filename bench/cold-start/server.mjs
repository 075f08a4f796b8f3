// The programs whose cold start is measured; each prints its port. `server.mjs <compiled schemas>` serves the application on Ambit, and
// `server.mjs` uses only the server of the runtime, which is the minimum cost for every framework.
const { Bun, Deno } = globalThis;
const hostname = '127.0.0.1';
const respond = async (request) => Response.json({ id: 7, ...(await request.json()) });

async function serveOnAmbit(/** @type {string} */ compiled) {
  const { makeApp } = await import('./make-app.mjs');
  const address = await makeApp(await import(compiled)).listen({ port: 0, host: hostname });
  return new URL(address).port;
}

async function serveOnNode() {
  const { createServer } = await import('node:http');
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 7, ...JSON.parse(text) }));
  });
  await new Promise((resolve) => server.listen(0, hostname, resolve));
  return server.address().port;
}

if (process.argv[2] !== undefined) console.log(await serveOnAmbit(process.argv[2]));
else if (Bun !== undefined) console.log(Bun.serve({ port: 0, hostname, fetch: respond }).port);
else if (Deno !== undefined) console.log(Deno.serve({ port: 0, hostname, onListen() {} }, respond).addr.port);
else console.log(await serveOnNode());
