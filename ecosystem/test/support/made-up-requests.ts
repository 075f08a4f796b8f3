/** Requests that the page of the inspector gets without an application that ran them: as many, as large and as fast as a test needs. */
import type { RequestModel } from '@ambit/inspector';
import type { Page } from 'playwright-core';

let lastNumber = 0;

/** A request that has ended, with the given fields. */
export function madeUpRequest(fields: Partial<RequestModel> = {}): RequestModel {
  const number = ++lastNumber;
  const step = { path: 'request', index: 0, file: null } as const;
  return {
    number,
    startedAt: 0,
    id: `req-${number}`,
    method: 'GET',
    url: `/made-up/${number}`,
    route: null,
    status: 200,
    at: Date.now(),
    ms: 2,
    headers: { host: 'localhost', accept: '*/*' },
    steps: [
      { ...step, name: 'onRequest', function: 'checkToken', startMs: 0.1, ms: 0.4 },
      { ...step, name: 'handler', function: 'readNote', startMs: 0.5, ms: 1.5 },
    ],
    isFinished: true,
    state: 'finished',
    isStream: false,
    error: null,
    logs: [],
    logCount: 0,
    body: null,
    responseHeaders: { 'content-type': 'text/plain' },
    bytes: 2,
    ...fields,
  };
}

/** Gives the page events of the test in the place of those of the application. Call it before the page opens. */
export async function fakeEvents(page: Page): Promise<(requests: readonly RequestModel[]) => Promise<void>> {
  await page.addInitScript(`
    const sources = new Set();
    window.EventSource = class extends EventTarget {
      constructor() {
        super();
        sources.add(this);
        setTimeout(() => this.dispatchEvent(new Event('open')));
      }
      close() {
        sources.delete(this);
      }
    };
    window.emitRequests = (requests) => {
      const data = JSON.stringify({ requests, bytes: 1000 });
      for (const source of sources) source.dispatchEvent(new MessageEvent('requests', { data, lastEventId: 'a.1' }));
    };`);
  return (requests) => page.evaluate(`window.emitRequests(${JSON.stringify(requests)})`);
}
