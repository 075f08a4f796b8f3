/** Sends the same bytes to a server of node's and to one with the engine, and compares what both saw and answered. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { attach, type Engine, type Exchange } from '../../src/index.ts';
import { exchangeBytes, listen } from './wire.ts';

/** One request as an application saw it. */
interface Seen {
  readonly method: string;
  readonly target: string;
  readonly headers: object;
  readonly rawHeaders: readonly string[];
  body: string;
}

export interface Outcome {
  readonly answers: string;
  readonly requests: readonly Seen[];
}

/** The key consists of both ends of a connection, because a client may use one port for several servers. */
const seen: Map<string, Seen[]> = new Map();

function note(socket: Socket, request: Omit<Seen, 'body'>): Seen {
  const key = `${socket.localPort} ${socket.remotePort}`;
  const noted = { ...request, body: 'incomplete' };
  seen.set(key, [...(seen.get(key) ?? []), noted]);
  return noted;
}

/** Answers at once, without waiting for the body. */
function answerOf(target: string): string {
  return `you asked for ${target}`;
}

const answerFields = { 'content-type': 'text/plain' };

/** The host in a target such as `http://example.org/`, with what may stand before it. */
export function authorityOf(target: string): string | undefined {
  return /^https?:\/\/([^/?#]*)/i.exec(target)?.[1];
}

function serveAsNode(request: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers, rawHeaders, socket } = request;
  // Node leaves it to the application that the host of an absolute target counts (RFC 9112, 3.2.2).
  const host = authorityOf(url!) ?? headers.host;
  const noted = note(socket, {
    method: method!,
    target: url!,
    headers: host === undefined ? headers : { ...headers, host },
    rawHeaders,
  });
  const pieces: Buffer[] = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => {
    noted.body = Buffer.concat(pieces).toString('latin1');
  });
  response.setHeader('content-type', 'text/plain');
  response.end(answerOf(url!));
}

function serve(exchange: Exchange): void {
  const { method, target, headers, rawHeaders, socket } = exchange;
  const noted = note(socket, { method, target, headers, rawHeaders });
  exchange.readBody(
    (body) => {
      noted.body = body.toString('latin1');
    },
    () => {},
  );
  exchange.respond(200, answerFields, answerOf(target));
}

export interface Pair {
  readonly engine: Engine;
  readonly servers: readonly Server[];
  /** Returns what node and the engine do with the same pieces. */
  compare(pieces: readonly Buffer[]): Promise<{ node: Outcome; engine: Outcome }>;
  runEngine(pieces: readonly Buffer[]): Promise<Outcome>;
}

/** @param isRaw Whether the engine's application uses node's objects, too. */
export async function makePair(isRaw: boolean): Promise<Pair> {
  const [node, own] = [createServer(serveAsNode), createServer()] as const;
  const engine = attach(
    own,
    isRaw ? (exchange) => serveAsNode(exchange.rawRequest, exchange.rawResponse) : serve,
  );
  const [nodePort, ownPort] = [await listen(node), await listen(own)];
  const runEngine = (pieces: readonly Buffer[]): Promise<Outcome> => run(ownPort, pieces);
  return {
    engine,
    servers: [node, own],
    runEngine,
    compare: async (pieces) => {
      const [first, second] = await Promise.all([run(nodePort, pieces), runEngine(pieces)]);
      return { node: first, engine: second };
    },
  };
}

async function run(port: number, pieces: readonly Buffer[]): Promise<Outcome> {
  const [localPort, text] = await exchangeBytes(port, pieces);
  const key = `${port} ${localPort}`;
  const requests = seen.get(key) ?? [];
  seen.delete(key);
  // If one read contains a request and then bytes that are not one, node closes, and answers 400 if an earlier answer was sent. The
  // engine has always answered before.
  const answers = text.replace(/(?<=.)HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n\r\n$/s, '');
  return { answers: answers.replaceAll(/Date: [^\r]*/g, 'Date: then'), requests };
}
