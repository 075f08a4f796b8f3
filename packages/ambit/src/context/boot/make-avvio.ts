/** Makes avvio, which orders the loading of plugins. */
import avvio from 'avvio';
import type { Avvio } from './avvio.ts';

export function makeAvvio(timeoutMs: number): Avvio {
  return avvio(null, { autostart: false, timeout: timeoutMs }) as unknown as Avvio;
}
