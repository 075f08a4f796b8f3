/** Replaces pino in the build for workers: an application that logs must bring its own logger. */
import { err } from 'pino-std-serializers';
import { RuntimeUnsupported } from '../types/errors.ts';

function refuse(): never {
  throw new RuntimeUnsupported(
    'the option `logger`',
    'Pass a logger as `loggerInstance`, for example `loggerInstance: pino({ browser: { asObject: true, serialize: true } })`',
  );
}

/** The members of pino that the framework uses. */
export const pino: typeof refuse & { readonly symbols: Readonly<Record<string, symbol>> } = Object.assign(
  refuse,
  {
    destination: refuse,
    stdSerializers: { err },
    symbols: { serializersSym: Symbol.for('pino.serializers'), streamSym: Symbol('stream') },
  },
);
