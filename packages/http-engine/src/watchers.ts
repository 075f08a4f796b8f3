/** Detects whether something observes node's server, because an observer would not see what the engine serves. */
import { channel } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { WatchReason } from './grammar/reasons.ts';

/** Node's own `emit`, read when this module loads: later, the prototype may have a replacement. */
const { emit } = EventEmitter.prototype;

/** The channels on which node publishes the requests of its servers. */
const channels = [
  'http.server.request.start',
  'http.server.response.created',
  'http.server.response.finish',
].map((name) => channel(name));

/**
 * How something observes the server: a second `request` listener (socket.io also replaces the first one), an `emit` that is not node's
 * (agents patch that of the server, of its class, or of all emitters), or subscribers of node's channels; undefined if nothing does.
 */
export function findWatcher(server: Server, engineListener: RequestListener): WatchReason | undefined {
  if (server.emit !== emit) return 'emit';
  if (server.listenerCount('request') !== 1 || server.listeners('request')[0] !== engineListener)
    return 'request-listener';
  for (const each of channels) if (each.hasSubscribers) return 'diagnostics-channel';
  return undefined;
}
