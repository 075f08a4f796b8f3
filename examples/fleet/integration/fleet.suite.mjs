// Tests the fleet with real servers, requests through HAProxy, and processes that are killed.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { describe, expectedExits, runChaos } from '../chaos/chaos.mjs';
import { startFleet } from '../fleet/fleet.mjs';

const password = 'a password of tests';
const json = { 'content-type': 'application/json' };
let fleet;

beforeAll(async () => {
  fleet = await startFleet({
    env: { REQUESTS_PER_MINUTE: '1000000', LOG_LEVEL: 'warn', CLOSE_DELAY_MS: '600' },
  });
  await fleet.untilReady();
});
afterAll(() => fleet.stop());

const send = (method, path, body, headers) =>
  fetch(fleet.origin + path, { method, headers: { ...json, ...headers }, body: JSON.stringify(body) });
const get = (path, headers) => fetch(fleet.origin + path, { headers });

let users = 0;

/** Adds a user and logs in. The name starts with the prefix and is unique, because a test may run twice. */
async function join(prefix) {
  const name = `${prefix}-${++users}`;
  expect((await send('POST', '/users', { name, password })).status).toBe(201);
  const response = await send('POST', '/session', { name, password });
  expect(response.status).toBe(204);
  const [cookie] = response.headers.getSetCookie();
  expect(cookie).toMatch(/; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
  return { name, cookie: { cookie: cookie.split(';')[0] } };
}

/** Resolves when each replica is connected again to Postgres and Redis, also for the rate limit. */
async function untilConnected({ cookie }) {
  for (const origin of fleet.replicaOrigins) {
    await vi.waitFor(
      async () => {
        const { status, headers } = await fetch(`${origin}/notes`, { headers: cookie });
        expect([status, headers.get('x-ratelimit-remaining')]).toEqual([
          200,
          expect.not.stringMatching(/^1000000$/),
        ]);
      },
      { timeout: 60_000, interval: 50 },
    );
  }
}

test('replicas that start at the same time create the tables once', async () => {
  expect((await get('/shared')).status).toBe(200);
  expect(fleet.processes.map(({ exitCount }) => exitCount)).toEqual([0, 0, 0, 0, 0, 0]);
});

test('the OpenAPI document lists the routes', async () => {
  const { paths } = await (await get('/openapi.json')).json();
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/notes', '/users', '/session', '/shared']));
});

test('every replica serves the session and the notes of a user, until the user logs out', async () => {
  const { name, cookie: user } = await join('ada');
  const added = await send('POST', '/notes', { text: 'milk' }, { ...user, 'idempotency-key': 'one' });
  expect(added.status).toBe(201);
  const note = await added.json();
  expect(note).toMatchObject({ owner: name, text: 'milk', isShared: false });
  // Several times, as many requests at the same time as there are replicas, so that each replica gets some of them.
  for (let i = 0; i < 4; i++) {
    const pages = await Promise.all(fleet.replicas.map(() => get('/notes', user)));
    expect(await Promise.all(pages.map((page) => page.json()))).toEqual(fleet.replicas.map(() => [note]));
  }
  expect((await send('DELETE', `/notes/${note.id}`, {}, user)).status).toBe(204);
  expect((await get(`/notes/${note.id}`, user)).status).toBe(404);
  expect((await send('DELETE', '/session', {}, user)).status).toBe(204);
  expect((await get('/notes', user)).status).toBe(401);
});

test('repeated writes with the same idempotency key are executed once', async () => {
  const { cookie: user } = await join('grace');
  const key = { ...user, 'idempotency-key': 'one' };
  const responses = await Promise.all(
    Array.from({ length: 9 }, () => send('POST', '/notes', { text: 'milk' }, key)),
  );
  const ids = await Promise.all(responses.map(async (response) => (await response.json()).id));
  expect(new Set(ids).size).toBe(1);
  expect(await (await get('/notes', user)).json()).toHaveLength(1);
  const other = await send('POST', '/notes', { text: 'bread' }, key);
  expect([other.status, (await other.json()).type]).toEqual([
    422,
    'https://example.com/problems/idempotency-key-reused',
  ]);
  const without = await send('POST', '/notes', { text: 'bread' }, user);
  expect([without.status, (await without.json()).errors[0].pointer]).toEqual([400, '#/idempotency-key']);
});

test('shared notes can be read by everybody, other notes only by their owner', async () => {
  const { cookie: user } = await join('alan');
  const { cookie: other } = await join('edsger');
  const add = async (isShared, key) => {
    const added = await send('POST', '/notes', { text: key, isShared }, { ...user, 'idempotency-key': key });
    return (await added.json()).id;
  };
  const [shared, own] = [await add(true, 'shared'), await add(false, 'own')];
  const [newest] = await (await get('/shared')).json();
  expect(newest).toMatchObject({ id: shared, text: 'shared' });
  expect((await get(`/notes/${shared}`, other)).status).toBe(200);
  expect((await get(`/notes/${own}`, other)).status).toBe(404);
  expect((await send('DELETE', `/notes/${shared}`, {}, other)).status).toBe(204);
  expect((await get(`/notes/${shared}`, user)).status).toBe(200);
});

test('a name can be taken once, and all replicas together accept ten login attempts per minute', async () => {
  const { name } = await join('barbara');
  expect((await send('POST', '/users', { name, password })).status).toBe(409);
  const guess = () => send('POST', '/session', { name, password: 'not the password' });
  // The successful login in `join` also counts as an attempt.
  const statuses = [];
  for (let i = 0; i < 10; i++) statuses.push((await guess()).status);
  expect(statuses).toEqual([...Array(9).fill(401), 429]);
  const refused = await guess();
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await refused.json()).type).toBe('https://example.com/problems/too-many-attempts');
});

test('all replicas together count requests by client address, and ignore a forged X-Forwarded-For', async () => {
  const remaining = [];
  for (const forged of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4']) {
    const options = { localAddress: '127.0.0.2', headers: { 'x-forwarded-for': forged } };
    const [response] = await once(request(`${fleet.origin}/shared`, options).end(), 'response');
    response.resume();
    remaining.push(Number(response.headers['x-ratelimit-remaining']));
  }
  expect(remaining).toEqual([999_999, 999_998, 999_997, 999_996]);
});

test('the load balancer does not forward probes', async () => {
  expect((await get('/readyz')).status).toBe(404);
  expect((await get('/livez')).status).toBe(404);
});

test('without Redis, shared notes are served, requests with sessions get 503 and keep their cookie, and no login is attempted', async () => {
  const katherine = await join('katherine');
  const { name, cookie: user } = katherine;
  await fleet.redis.restart('SIGKILL', async () => {
    expect((await get('/shared')).status).toBe(200);
    const notes = await get('/notes', user);
    expect([notes.status, notes.headers.get('retry-after')]).toEqual([503, '1']);
    expect(notes.headers.get('set-cookie')).toBeNull();
    expect(await notes.json()).toMatchObject({
      type: 'https://example.com/problems/unavailable',
      dependency: 'Redis',
    });
    expect((await send('POST', '/session', { name, password: 'not the password' })).status).toBe(503);
  });
  await untilConnected(katherine);
});

test('without Postgres, requests get 503, and replicas stay ready', async () => {
  const margaret = await join('margaret');
  const { cookie: user } = margaret;
  await fleet.postgres.restart('SIGQUIT', async () => {
    // Each replica has connections in its pool, which are broken now.
    const pages = await Promise.all(Array.from({ length: 30 }, () => get('/notes', user)));
    for (const page of pages) {
      expect([page.status, page.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await page.json()).toMatchObject({ dependency: 'Postgres' });
    }
    expect(
      (await Promise.all(fleet.replicaOrigins.map((origin) => fetch(`${origin}/readyz`)))).map(
        ({ status }) => status,
      ),
    ).toEqual([200, 200, 200]);
  });
  await fleet.untilReady();
  await untilConnected(margaret);
});

test('if processes are killed under load, each request gets a response, no acknowledged write is lost, and the fleet recovers', async () => {
  const before = new Map(fleet.processes.map((supervised) => [supervised, supervised.exitCount]));
  const result = await runChaos(fleet, { rounds: 1, seed: 7 });
  console.log(describe(result));
  expect(result.wrong).toEqual([]);
  expect(result.lost).toEqual([]);
  expect(result.duplicates).toEqual([]);
  expect(result.acknowledged).toBeGreaterThan(0);
  // Refused requests show that the processes were down.
  const refused = Object.fromEntries(result.results.map(({ what, refused }) => [what, refused]));
  expect(refused['all replicas are killed']).toBeGreaterThan(0);
  expect(refused['Redis is killed']).toBeGreaterThan(0);
  expect(refused['Postgres crashes']).toBeGreaterThan(0);
  // No process has ended except those that were killed.
  const expected = expectedExits(fleet, 1);
  for (const supervised of fleet.processes)
    expect([supervised.name, supervised.exitCount - before.get(supervised)]).toEqual([
      supervised.name,
      expected.get(supervised) ?? 0,
    ]);
});

test('after a fleet has stopped, no process and no file is left', async () => {
  const stopping = await startFleet();
  await stopping.untilReady();
  const ports = [...stopping.replicaOrigins, stopping.origin].map((origin) => new URL(origin).port);
  await stopping.stop();
  expect(existsSync(stopping.folder)).toBe(false);
  for (const port of ports) {
    const [error] = await once(connect(port, '127.0.0.1'), 'error');
    expect(error.code).toBe('ECONNREFUSED');
  }
});
