/** Generates the code that selects a branch: lists of types, oneOf, anyOf, if. */
import type { ChoiceShape } from '../../shape/shape.ts';
import type { Emitter } from '../emitter.ts';
import { emitTest } from '../test-code.ts';
import { writeLeaf } from './leaf.ts';

export function emitChoice(emitter: Emitter, name: string, shape: ChoiceShape): string {
  const branches = shape.branches.map(
    ({ test, shape: branch }) =>
      `if(${emitTest(emitter, test, 'v')})return ${writeLeaf(emitter, branch, 'v')};\n`,
  );
  return `function ${name}(v){
${shape.nullable ? `if(v===null)return 'null';\n` : ''}${branches.join('')}return failMatch(${JSON.stringify(shape.schemaPath)});}`;
}
