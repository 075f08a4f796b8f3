/** Owns the listeners on sockets that the engine serves: one function for each event, shared by all sockets. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
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
  // After the hand-over, the socket must not keep our memory alive.
  (socket as LaneSocket)[connectionKey] = undefined;
}

// HOT: once per read.
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
