/** Replaces what workers lack in the build for them: pino, signals of the process, and the load of an event loop. */
import { err } from 'pino-std-serializers';
import { RuntimeUnsupported } from '../types/errors.ts';

function refusePino(): never {
  throw new RuntimeUnsupported(
    'the option `logger`',
    'Pass a logger as `loggerInstance`, for example `loggerInstance: pino({ browser: { asObject: true, serialize: true } })`',
  );
}

/** The members of pino that the framework uses: an application that logs must bring its own logger. */
export const pino: typeof refusePino & { readonly symbols: Readonly<Record<string, symbol>> } = Object.assign(
  refusePino,
  {
    destination: refusePino,
    stdSerializers: { err },
    symbols: { serializersSym: Symbol.for('pino.serializers'), streamSym: Symbol('stream') },
  },
);

export function closeOnSignals(): never {
  throw new RuntimeUnsupported('closeOnSignals', 'Leave it out: the runtime ends workers');
}

/** Workers have no overload protection, and older ones have no `node:perf_hooks`. */
export class ProcessEventLoop {
  constructor() {
    throw new Error('a worker does not measure its event loop');
  }
}
