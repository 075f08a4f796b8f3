/** Chooses the code that writes a shape into a buffer. */
import type { BufferedShape, Emitter } from '../emitter.ts';
import { emitBufferedChoice } from './choice.ts';
import { emitBufferedArray, emitBufferedTuple } from './list.ts';
import { emitBufferedObject } from './object.ts';

/** A function of a value, a position and a buffer. It returns the next position. */
export function emitBufferWriter(emitter: Emitter, name: string, shape: BufferedShape): string {
  switch (shape.kind) {
    case 'object':
      return emitBufferedObject(emitter, name, shape);
    case 'array':
      return emitBufferedArray(emitter, name, shape);
    case 'tuple':
      return emitBufferedTuple(emitter, name, shape);
    case 'choice':
      return emitBufferedChoice(emitter, name, shape);
  }
}
