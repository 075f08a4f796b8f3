/** Uploads that stop in the middle: the time limits end them, and their files are removed. */
import type { Server } from 'node:http';
import type { AmbitOptions, Context } from 'ambit';
import { describe, expect, test, vi } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { cutForm, file, formHeaders, UploadFolder } from '../../test/support/forms.ts';
import { hurry } from '../../test/support/hurry.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { type Conversation, open, request, statuses } from '../../test/support/raw-client.ts';
import { limitConnection, servePort } from '../../test/support/serve.ts';

forbidProcessFaults();

const binary = { type: 'string', format: 'binary' } as const;
const schema = {
  body: {
    content: { 'multipart/form-data': { schema: { type: 'object', properties: { file: binary } } } },
  },
};
/** The longest time until a file is closed, on the slowest machine, because the system does not report it. */
const patience = { timeout: 10_000, interval: 2 };
const lanes: readonly (readonly [name: string, options: AmbitOptions])[] = [
  ['our HTTP engine', {}],
  ["node's server", { engine: 'node' }],
];
// So small that the server has read all of it when the file exists. With unread bytes, the client could lose the response.
const half = cutForm(file('file', 'a', 'x'.repeat(1000)));
const type = `Content-Type: ${formHeaders['content-type']}`;
const heads = {
  'with its length': request('POST', '/', type, `Content-Length: ${half.length * 2}`),
  'without its length': `${request('POST', '/', type, 'Transfer-Encoding: chunked')}${(half.length * 2).toString(16)}\r\n`,
};

describe.each(flavors)('%s', (_flavor, make) => {
  describe.each(lanes)('on %s', (_lane, lane) => {
    /** An application, and a client that has sent half of a form. */
    const stall = async (
      head: string,
      options: AmbitOptions,
    ): Promise<{
      app: Context;
      folder: UploadFolder;
      client: Conversation;
      expire: () => void;
      runs: () => number;
    }> => {
      const folder = new UploadFolder();
      const app = make({ ...lane, ...options, multipart: { folder: folder.path, memorySize: 0 } });
      let runs = 0;
      app.post('/', { schema }, () => ++runs);
      const expire = limitConnection(app);
      const client = await open(await servePort(app));
      client.socket.write(`${head}${half}`);
      return { app, folder, client, expire, runs: () => runs };
    };

    for (const [how, head] of Object.entries(heads)) {
      test(`requestTimeout ends an upload that stalls, sent ${how}, with 408, and removes its file`, async () => {
        const http = { connectionsCheckingInterval: 20 };
        hurry(10);
        const { app, folder, client, runs } = await stall(head, { http, requestTimeout: 60_000 });
        await vi.waitFor(() => expect(folder.openFiles()).not.toEqual([]), patience);
        // Set only now, so that a slow machine does not end the request before the file exists.
        Object.assign(app.server as Server, { headersTimeout: 1, requestTimeout: 1 });
        expect(statuses(await client.ended)).toEqual([408]);
        await vi.waitFor(() => expect([folder.list(), folder.openFiles()]).toEqual([[], []]), patience);
        expect(runs()).toBe(0);
      });

      test(`connectionTimeout ends an upload that stalls, sent ${how}, and removes its file`, async () => {
        const { folder, client, expire, runs } = await stall(head, { connectionTimeout: 60_000 });
        await vi.waitFor(() => expect(folder.openFiles()).not.toEqual([]), patience);
        expire();
        await client.ended;
        await vi.waitFor(() => expect([folder.list(), folder.openFiles()]).toEqual([[], []]), patience);
        expect(runs()).toBe(0);
      });
    }
  });
});
