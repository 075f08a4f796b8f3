/** Generates the code that selects a branch and writes it into a buffer: lists of types, oneOf, anyOf, if. */
import type { ChoiceShape } from '../../shape/shape.ts';
import type { Emitter } from '../emitter.ts';
import { emitTest } from '../test-code.ts';
import { emitValue } from './leaf.ts';

export function emitBufferedChoice(emitter: Emitter, name: string, shape: ChoiceShape): string {
  const branches = shape.branches.map(
    ({ test, shape: branch }) =>
      `if(${emitTest(emitter, test, 'v')})return ${emitValue(emitter, branch, 'v')};\n`,
  );
  return `function ${name}(v,p,s){
${shape.nullable ? `if(v===null)return writeText('null',p,s);\n` : ''}${branches.join('')}return failMatch(${JSON.stringify(shape.schemaPath)});}`;
}
