/** Generates the code for properties that the schema does not declare by name: patternProperties and additionalProperties. */
import type { ObjectShape, Shape } from '../../shape/shape.ts';
import type { Emitter } from '../emitter.ts';
import { writeLeaf } from './leaf.ts';

export function emitExtras(emitter: Emitter, shape: ObjectShape, isStarted: boolean): string {
  if (shape.patterns.length === 0 && shape.additional === undefined) return '';
  const declared = shape.properties.map(({ name }) => name);
  const isDeclared = declared.length === 0 ? '' : `if(${emitter.nameSet(declared)}.has(k))continue;\n`;
  const patterns = shape.patterns.map(
    ({ pattern, shape: own }) =>
      `if(${emitter.pattern(pattern)}.test(k)){${emitExtra(emitter, own, isStarted)}continue;}\n`,
  );
  const rest = shape.additional === undefined ? '' : emitExtra(emitter, shape.additional, isStarted);
  return `for(const k of Object.keys(v)){${isDeclared}const e=readExtra(v,k);if(e===undefined)continue;
${patterns.join('')}${rest}}\n`;
}

function emitExtra(emitter: Emitter, shape: Shape, isStarted: boolean): string {
  if (shape.kind === 'never') return '';
  const separator = isStarted ? `','` : `(n?',':(n=1,''))`;
  if (shape.kind === 'any') return `const t=anyText(e);if(t!==undefined)j+=${separator}+quote(k)+':'+t;`;
  return `j+=${separator}+quote(k)+':'+${writeLeaf(emitter, shape, 'e')};`;
}
