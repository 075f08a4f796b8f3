/** Owns the code that picks a branch and writes it into a sink: lists of types, oneOf, anyOf, if. */
import type { ChoiceShape } from '../../shape/shape.ts';
import type { Emitter } from '../emitter.ts';
import { emitTest } from '../test-code.ts';
import { putValue } from './put-leaf.ts';

export function emitPutChoice(emitter: Emitter, name: string, shape: ChoiceShape): string {
  const branches = shape.branches.map(
    ({ test, shape: branch }) =>
      `if(${emitTest(emitter, test, 'v')})return ${putValue(emitter, branch, 'v')};\n`,
  );
  return `function ${name}(v,p,s){
${shape.nullable ? `if(v===null)return putText('null',p,s);\n` : ''}${branches.join('')}return failMatch(${JSON.stringify(shape.schemaPath)});}`;
}
