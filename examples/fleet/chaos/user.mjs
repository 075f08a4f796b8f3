// A user who reads and writes continuously, and remembers the acknowledged notes.
import { setTimeout as wait } from 'node:timers/promises';

const password = 'a password of tests';
const pauseMs = 20;
const json = { 'content-type': 'application/json' };

/** The status codes with which the fleet may refuse requests, if the response contains a reason. */
const refusals = [401, 429, 502, 503, 504];

export class User {
  /** The notes that the service has acknowledged: id to text. */
  acknowledged = new Map();
  #origin;
  #random;
  #onOutcome;
  #cookie = '';
  #written = 0;
  /** The note that is not acknowledged yet: it is sent again with the same key. */
  #pending;

  /**
   * @param {string} name The name of the user.
   * @param {string} origin The origin of the load balancer.
   * @param {() => number} random Selects the actions of the user.
   * @param {(kind: 'served' | 'refused' | 'wrong', what: string) => void} onOutcome Is called with the outcome of each request.
   */
  constructor(name, origin, random, onOutcome) {
    this.name = name;
    this.#origin = origin;
    this.#random = random;
    this.#onOutcome = onOutcome;
  }

  async join() {
    await this.#request('POST', '/users', { body: { name: this.name, password } });
    await this.#logIn();
  }

  async act() {
    await wait(pauseMs);
    const chance = this.#random();
    if (this.#cookie === '') await this.#logIn();
    else if (this.#pending !== undefined || chance < 0.4) await this.#write();
    else if (chance < 0.8) await this.#readOne();
    else if (chance < 0.9) await this.#request('GET', '/notes');
    else await this.#request('GET', '/shared');
  }

  /** Sends the note that is not acknowledged yet, if there is one, up to `tries` times. */
  async finish(tries = 200) {
    for (let i = 0; i < tries && this.#pending !== undefined; i++) await this.act();
  }

  /** @returns {Promise<Map<string, string>>} All notes of the user that are in the service: id to text. */
  async readAll() {
    const stored = new Map();
    for (let path = '/notes?limit=100'; path !== undefined; ) {
      const { status, body } = await this.#request('GET', path);
      if (status !== 200) throw new Error(`GET ${path} responded ${status}`);
      for (const { id, text } of body) stored.set(id, text);
      path = body.length === 100 ? `/notes?limit=100&before=${body.at(-1).id}` : undefined;
    }
    return stored;
  }

  async #logIn() {
    const { headers } = await this.#request('POST', '/session', { body: { name: this.name, password } });
    [this.#cookie = ''] = headers?.getSetCookie().map((cookie) => cookie.split(';')[0]) ?? [];
  }

  async #write() {
    this.#pending ??= `${this.name} ${++this.#written}`;
    const text = this.#pending;
    const { status, body } = await this.#request('POST', '/notes', {
      headers: { 'idempotency-key': text },
      body: { text, isShared: this.#written % 10 === 0 },
    });
    if (status !== 201) return;
    this.acknowledged.set(body.id, body.text);
    this.#pending = undefined;
    if (body.text !== text) this.#onOutcome('wrong', `'${text}' was acknowledged as '${body.text}'`);
  }

  async #readOne() {
    const ids = [...this.acknowledged.keys()];
    const id = ids[Math.floor(this.#random() * ids.length)];
    if (id === undefined) return;
    const { status, body } = await this.#request('GET', `/notes/${id}`);
    if (status === 200 && body.text !== this.acknowledged.get(id))
      this.#onOutcome('wrong', `note ${id} is '${body.text}'`);
  }

  /** @returns The response, or an empty object if there was none. */
  async #request(method, path, { headers, body } = {}) {
    try {
      const response = await fetch(this.#origin + path, {
        method,
        headers: { ...(body && json), cookie: this.#cookie, ...headers },
        body: body && JSON.stringify(body),
      });
      const text = await response.text();
      this.#report(method, path, response, text);
      return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
    } catch (error) {
      this.#onOutcome('wrong', `${method} ${path} got no response: ${error.cause?.message ?? error.message}`);
      return {};
    }
  }

  #report(method, path, { ok, status, headers }, text) {
    if (ok) return this.#onOutcome('served', `${status}`);
    const isProblem = headers.get('content-type')?.startsWith('application/problem+json');
    if (!isProblem || !refusals.includes(status))
      return this.#onOutcome('wrong', `${method} ${path} got ${status}: ${text}`);
    // The session is lost: log in again.
    if (status === 401) this.#cookie = '';
    const { detail, title } = JSON.parse(text);
    return this.#onOutcome('refused', `${status} ${detail ?? title}`);
  }
}
