/** Owns that responses that wait to be written together are also written if the process exits first. */

interface Flushable {
  flushAll(): void;
}

const engines = new Set<Flushable>();
let isListening = false;

/** From now on, the engine writes all that its connections have collected when the process exits. */
export function flushAtExit(engine: Flushable): void {
  engines.add(engine);
  if (isListening) return;
  isListening = true;
  process.on('exit', () => {
    for (const each of engines) each.flushAll();
  });
}

/** The engine has no connections. */
export function forgetAtExit(engine: Flushable): void {
  engines.delete(engine);
}
