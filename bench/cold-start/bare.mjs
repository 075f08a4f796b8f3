// Owns the program that serves with the server of the runtime alone, and prints its port: what every framework costs at least.
const { Bun, Deno } = globalThis;
const place = { port: 0, hostname: '127.0.0.1' };
const answer = async (request) => Response.json({ id: 7, ...(await request.json()) });

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

if (Bun !== undefined) console.log(Bun.serve({ ...place, fetch: answer }).port);
else if (Deno !== undefined) console.log(Deno.serve({ ...place, onListen() {} }, answer).addr.port);
else await serveOnNode();
