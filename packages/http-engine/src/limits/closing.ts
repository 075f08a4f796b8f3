/** Owns that the server's methods for closing also apply to the connections of the engine. */
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
  const own = {
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
  Object.assign(server, own);
  return () => {
    server.off('listening', onListening);
    for (const name of Object.keys(own) as (keyof typeof own)[]) {
      // If somebody replaced the method later, their method stays.
      if (server[name] === own[name]) Reflect.deleteProperty(server, name);
    }
  };
}
