/** Finds a free port once, so that workers that start later listen on the same port. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** @returns The port itself, unless it is 0. */
export async function fixPort(port: number, host: string): Promise<number> {
  if (port !== 0) return port;
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return free;
}
