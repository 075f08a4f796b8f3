/** Asks many requests on few connections, one behind the other, and reads the bytes of the responses more strictly than clients do. */
import { connect, type Socket } from 'node:net';

export interface WireResponse {
  readonly status: number;
  /** Names as they were sent, in order. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly content: string;
}

/**
 * Sends all requests, as text of one byte a character, and resolves with one response for each. What a server has not answered when it
 * closes the connection is sent again on another.
 *
 * @throws {Error} if what a server sends is not a response, or if it closes a new connection without one.
 */
export async function askInTurn(port: number, requests: readonly string[]): Promise<WireResponse[]> {
  const responses: WireResponse[] = [];
  let isCut = false;
  while (responses.length < requests.length) {
    // What is sent to a server that closes makes the system reset the connection, and the response may be lost: the next one goes alone.
    const next = requests.slice(responses.length, isCut ? responses.length + 1 : undefined);
    const received = await askOnOne(port, next);
    if (received.length === 0 && isCut) throw new Error(`no response to ${JSON.stringify(next[0])}`);
    responses.push(...received);
    isCut = !isCut && received.length < next.length;
  }
  return responses;
}

async function askOnOne(port: number, requests: readonly string[]): Promise<WireResponse[]> {
  const socket = connect(port, '127.0.0.1')
    .setEncoding('latin1')
    .on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(requests.join(''), 'latin1');
  try {
    return await readResponses(socket, requests.length);
  } finally {
    socket.destroy();
    await closed;
  }
}

/** Reads so many responses, or fewer if the connection ends. */
async function readResponses(socket: Socket, count: number): Promise<WireResponse[]> {
  const responses: WireResponse[] = [];
  let text = '';
  try {
    for await (const chunk of socket) {
      const reader = new ResponseReader(text + chunk);
      for (let next = reader.read(); next !== undefined; next = reader.read()) responses.push(next);
      text = reader.rest;
      if (responses.length === count) break;
    }
  } catch (error) {
    if (!isConnectionError(error)) throw error;
  }
  if (responses.length > count || (responses.length === count && text !== ''))
    throw new Error(`more was sent than ${count} responses: ${JSON.stringify(text)}`);
  return responses;
}

function isConnectionError(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
}

const statusLine = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/;
const fieldLine = /^([!#$%&'*+.^_`|~\w-]+): ?([\t\x20-\x7e\x80-\xff]*)$/;

class ResponseReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** What comes after the responses that were read. */
  get rest(): string {
    return this.#text.slice(this.#at);
  }

  /** The next response; undefined if it is not complete. */
  read(): WireResponse | undefined {
    const headEnd = this.#text.indexOf('\r\n\r\n', this.#at);
    if (headEnd === -1) return undefined;
    const [first, ...lines] = this.#text.slice(this.#at, headEnd).split('\r\n');
    const fields = lines.map((line) => {
      const [, name, value] = expectMatch(fieldLine, line);
      return [name!, value!] as const;
    });
    const status = Number(expectMatch(statusLine, first!)[1]);
    const body = this.#readContent(headEnd + 4, status, fields);
    if (body === undefined) return undefined;
    this.#at = body.end;
    return { status, fields, content: body.content };
  }

  #readContent(start: number, status: number, fields: WireResponse['fields']): Content | undefined {
    const [lengths, codings] = ['content-length', 'transfer-encoding'].map((name) =>
      fields.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value),
    ) as [string[], string[]];
    if (status === 204 || status === 304) return { content: '', end: start };
    if (lengths.length + codings.length !== 1)
      throw new Error(`a response has the lengths ${JSON.stringify([...lengths, ...codings])}`);
    if (codings.length === 1) return this.#readChunks(start);
    const end = start + Number(expectMatch(/^\d+$/, lengths[0]!)[0]);
    return end > this.#text.length ? undefined : { content: this.#text.slice(start, end), end };
  }

  #readChunks(start: number): Content | undefined {
    let content = '';
    for (let at = start; ; ) {
      const lineEnd = this.#text.indexOf('\r\n', at);
      if (lineEnd === -1) return undefined;
      const size = Number.parseInt(expectMatch(/^[\da-f]+$/i, this.#text.slice(at, lineEnd))[0], 16);
      at = lineEnd + 2 + size + 2;
      if (at > this.#text.length) return undefined;
      content += this.#text.slice(lineEnd + 2, at - 2);
      if (this.#text.slice(at - 2, at) !== '\r\n') throw new Error('a chunk is longer than its size');
      if (size === 0) return { content, end: at };
    }
  }
}

interface Content {
  readonly content: string;
  readonly end: number;
}

function expectMatch(pattern: RegExp, text: string): RegExpExecArray {
  const match = pattern.exec(text);
  if (match === null) throw new Error(`not ${pattern}: ${JSON.stringify(text)}`);
  return match;
}
