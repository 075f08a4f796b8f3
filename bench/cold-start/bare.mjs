// A program that uses only the server of the runtime, and prints its port. It shows the minimum cost for every framework.
const { Bun, Deno } = globalThis;
const address = { port: 0, hostname: '127.0.0.1' };
const respond = async (request) => Response.json({ id: 7, ...(await request.json()) });

async function serveOnNode() {
  const { createServer } = await import('node:http');
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 7, ...JSON.parse(text) }));
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
}

if (Bun !== undefined) console.log(Bun.serve({ ...address, fetch: respond }).port);
else if (Deno !== undefined) console.log(Deno.serve({ ...address, onListen() {} }, respond).addr.port);
else await serveOnNode();
