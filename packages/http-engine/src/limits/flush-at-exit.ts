/** Writes the responses that wait to be written together if the process exits before their write. */

interface Flushable {
  flushAll(): void;
}

const engines = new Set<Flushable>();
let isListening = false;

/** Makes an engine write everything that its connections have collected when the process exits. */
export function flushAtExit(engine: Flushable): void {
  engines.add(engine);
  if (isListening) return;
  isListening = true;
  process.on('exit', () => {
    for (const each of engines) each.flushAll();
  });
}

/** Called when the engine has no connections left. */
export function stopFlushingAtExit(engine: Flushable): void {
  engines.delete(engine);
}
