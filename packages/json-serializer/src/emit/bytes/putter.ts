/** Owns the choice of the code that writes a shape into a sink. */
import type { Emitter, PutterShape } from '../emitter.ts';
import { emitPutChoice } from './put-choice.ts';
import { emitPutArray, emitPutTuple } from './put-list.ts';
import { emitPutObject } from './put-object.ts';

/** A function of a value, a position and a sink: the next position. */
export function emitPutter(emitter: Emitter, name: string, shape: PutterShape): string {
  switch (shape.kind) {
    case 'object':
      return emitPutObject(emitter, name, shape);
    case 'array':
      return emitPutArray(emitter, name, shape);
    case 'tuple':
      return emitPutTuple(emitter, name, shape);
    case 'choice':
      return emitPutChoice(emitter, name, shape);
  }
}
