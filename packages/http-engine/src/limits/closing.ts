/** Makes the server's methods for closing also close the connections of the engine. */
import type { Server } from 'node:http';

interface Closable {
  isClosing: boolean;
  closeIdle(): void;
  closeAll(): void;
}

type CloseCallback = (error?: Error) => void;

/** Replaces the methods of this server, as plugins do. Returns a function that restores them. */
export function extendClosing(server: Server, engine: Closable, keepsWhenClosing: boolean): () => void {
  const { close, closeIdleConnections, closeAllConnections } = server;
  const replacements = {
    close(this: Server, callback?: CloseCallback): Server {
      if (!keepsWhenClosing) engine.isClosing = true;
      engine.closeIdle();
      return close.call(this, callback) as Server;
    },
    closeIdleConnections(this: Server): void {
      engine.closeIdle();
      closeIdleConnections.call(this);
    },
    closeAllConnections(this: Server): void {
      engine.closeAll();
      closeAllConnections.call(this);
    },
  };
  const onListening = (): void => {
    engine.isClosing = false;
  };
  server.on('listening', onListening);
  Object.assign(server, replacements);
  return () => {
    server.off('listening', onListening);
    for (const name of Object.keys(replacements) as (keyof typeof replacements)[]) {
      // If other code has replaced the method since, its method stays.
      if (server[name] === replacements[name]) Reflect.deleteProperty(server, name);
    }
  };
}
