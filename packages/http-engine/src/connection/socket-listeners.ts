/** Owns what sockets that the engine serves tell it: one function for each event, shared by all sockets. */
import type { Server } from 'node:http';
import { Socket } from 'node:net';
import type { Connection } from './connection.ts';

interface Owner {
  readonly server: Server;
  forget(connection: Connection): void;
}

const connectionKey = Symbol('connection');
const ownerKey = Symbol('owner');

interface LaneSocket extends Socket {
  [connectionKey]: Connection | undefined;
  [ownerKey]: Owner;
}

export function listenToSocket(owner: Owner, connection: Connection, socket: Socket): void {
  (socket as LaneSocket)[connectionKey] = connection;
  (socket as LaneSocket)[ownerKey] = owner;
  socket.on('timeout', onTimeout);
  socket.on('error', onError);
  socket.on('end', onEnd);
  socket.on('close', onClose);
  socket.on('drain', onDrain);
  socket.on('data', onData);
  if (socket.push === nodePush) socket.push = push;
  if (socket.pause === nodePause) socket.pause = pauseForOthers;
  socket.setEncoding = refuseEncoding;
}

/** The connection of a socket that the engine serves; `undefined` for any other. */
export function connectionOf(socket: Socket): Connection | undefined {
  return (socket as LaneSocket)[connectionKey];
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
  if (socket.setEncoding === refuseEncoding) socket.setEncoding = nodeSetEncoding;
  // After the hand-over, the socket must not keep our memory alive.
  (socket as LaneSocket)[connectionKey] = undefined;
}

const nodePush: Socket['push'] = Socket.prototype.push;
const nodePause: Socket['pause'] = Socket.prototype.pause;
const nodeSetEncoding: Socket['setEncoding'] = Socket.prototype.setEncoding;

/** Stops reading, until the socket is resumed. */
export function pauseReading(socket: Socket): void {
  nodePause.call(socket);
}

/** As on sockets that node serves: HTTP reads on, so that a listener of `connection` that pauses the socket does not stop it for ever. */
function pauseForOthers(this: LaneSocket): Socket {
  return isReadByEngineAlone(this) ? this : nodePause.call(this);
}

/** False if somebody else listens, or has taken the socket over. */
function isReadByEngineAlone(socket: Socket): boolean {
  return socket.listenerCount('data') === 1 && socket.listenerCount('data', onData) === 1;
}

/** As on sockets that node serves: its parser, and ours, read bytes and no texts. */
function refuseEncoding(): never {
  const error = new Error('Changing the socket encoding is not allowed per RFC7230 Section 3.');
  throw Object.assign(error, { code: 'ERR_HTTP_SOCKET_ENCODING' });
}

// HOT: once per read.
/**
 * What node calls with the bytes that it has read. While the socket would only emit them as `data` to the engine, the engine takes them
 * here: the stream's own part of it, with a tick of its own, is 4 % of the CPU time of benchmark `get`. Everything else is the
 * stream's, and bytes that come another way arrive with `data`.
 */
function push(this: LaneSocket, chunk: unknown, encoding?: BufferEncoding): boolean {
  const connection = this[connectionKey];
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

function onData(this: LaneSocket, chunk: Buffer): void {
  this[connectionKey]!.receive(chunk);
}

function onDrain(this: LaneSocket): void {
  this[connectionKey]!.onDrain();
}

function onEnd(this: LaneSocket): void {
  this[connectionKey]!.onEnd();
}

function onError(this: LaneSocket, error: Error): void {
  this.off('error', onError);
  this[connectionKey]!.onSocketError(error);
}

function onClose(this: LaneSocket): void {
  this[ownerKey].forget(this[connectionKey]!);
  this[connectionKey]!.onClosed();
}

function onTimeout(this: LaneSocket): void {
  const isHandled = this[connectionKey]!.onTimeout();
  if (!this[ownerKey].server.emit('timeout', this) && !isHandled) this.destroy();
}
