/** Listens to the sockets that the engine serves. There is one function for each event, which all sockets share. */
import { Socket } from 'node:net';
import type { Connection } from './connection.ts';

const connectionKey = Symbol('connection');

interface EngineSocket extends Socket {
  [connectionKey]: Connection | undefined;
}

export function listenToSocket(connection: Connection): void {
  const { socket } = connection;
  (socket as EngineSocket)[connectionKey] = connection;
  socket.on('timeout', onTimeout);
  socket.on('error', onError);
  socket.on('end', onEnd);
  socket.on('close', onClose);
  socket.on('drain', onDrain);
  socket.on('data', onData);
  if (socket.push === nodePush) socket.push = push;
  if (socket.pause === nodePause) socket.pause = pauseForOthers;
  socket.setEncoding = rejectEncoding;
}

/** The connection of a socket that the engine serves; `undefined` for any other. */
export function connectionOf(socket: Socket): Connection | undefined {
  return (socket as EngineSocket)[connectionKey];
}

export function stopListening(socket: Socket): void {
  socket.off('timeout', onTimeout);
  socket.off('error', onError);
  socket.off('end', onEnd);
  socket.off('close', onClose);
  socket.off('drain', onDrain);
  socket.off('data', onData);
  if (socket.push === push) socket.push = nodePush;
  if (socket.pause === pauseForOthers) socket.pause = nodePause;
  if (socket.setEncoding === rejectEncoding) socket.setEncoding = nodeSetEncoding;
  // After the hand-over, the socket must not keep our memory alive.
  (socket as EngineSocket)[connectionKey] = undefined;
}

const nodePush: Socket['push'] = Socket.prototype.push;
const nodePause: Socket['pause'] = Socket.prototype.pause;
const nodeSetEncoding: Socket['setEncoding'] = Socket.prototype.setEncoding;

/** Stops reading, until the socket is resumed. */
export function pauseReading(socket: Socket): void {
  nodePause.call(socket);
}

/**
 * Replaces `pause`. As on sockets that node serves, reading continues, so that a `connection` listener that pauses the socket does not
 * stop it forever.
 */
function pauseForOthers(this: EngineSocket): Socket {
  return isReadByEngineAlone(this) ? this : nodePause.call(this);
}

/** Whether the engine has the only `data` listener of the socket. */
function isReadByEngineAlone(socket: Socket): boolean {
  return socket.listenerCount('data') === 1 && socket.listenerCount('data', onData) === 1;
}

/** Replaces `setEncoding`. As on sockets that node serves, it throws, because an HTTP parser reads bytes. */
function rejectEncoding(): never {
  const error = new Error('Changing the socket encoding is not allowed per RFC7230 Section 3.');
  throw Object.assign(error, { code: 'ERR_HTTP_SOCKET_ENCODING' });
}

// HOT: once per read.
/**
 * Replaces `push`, which node calls with the bytes that it has read. If the stream would only emit them as `data` to the engine, the engine
 * takes them here, which saves the stream's work for that, with a tick of its own (benchmark `get`). Otherwise, node's own `push` runs, and
 * the bytes arrive with `data`. The end of the input (`null`) waits until the bytes before it were served.
 */
function push(this: EngineSocket, chunk: unknown, encoding?: BufferEncoding): boolean {
  const connection = this[connectionKey];
  if (chunk === null && connection?.defersEnd()) return false;
  const isForEngine =
    connection !== undefined &&
    chunk instanceof Uint8Array &&
    this.readableFlowing === true &&
    this.readableLength === 0 &&
    isReadByEngineAlone(this);
  if (!isForEngine) return nodePush.call(this, chunk, encoding);
  connection.receive(chunk as Buffer);
  return true;
}

function onData(this: EngineSocket, chunk: Buffer): void {
  this[connectionKey]!.receive(chunk);
}

function onDrain(this: EngineSocket): void {
  this[connectionKey]!.onDrain();
}

function onEnd(this: EngineSocket): void {
  this[connectionKey]!.onEnd();
}

function onError(this: EngineSocket, error: Error): void {
  this.off('error', onError);
  this[connectionKey]!.ending.onSocketError(error);
}

function onClose(this: EngineSocket): void {
  const connection = this[connectionKey]!;
  connection.engine.forget(connection);
  connection.ending.onClosed();
}

function onTimeout(this: EngineSocket): void {
  const connection = this[connectionKey]!;
  const isHandled = connection.onTimeout();
  if (!connection.engine.server.emit('timeout', this) && !isHandled) this.destroy();
}
