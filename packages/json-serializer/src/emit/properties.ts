/** Owns the code that reads the declared properties of a value, each once: a getter runs once. */
import type { ObjectShape } from '../shape/shape.ts';

/** Statements that check and read each declared property into its variable. */
export function readProperties(shape: ObjectShape, variables: readonly string[]): string {
  const others = shape.otherRequired.map(
    (name) => `if(${readProperty(name)}===undefined)failRequired(${JSON.stringify(name)});\n`,
  );
  const reads = shape.properties.map((property, index) => {
    const value = readProperty(property.name);
    return `${variables[index]}=${property.shape.kind === 'any' ? `anyText(${value})` : value}`;
  });
  return others.join('') + (reads.length === 0 ? '' : `const ${reads.join(',')};\n`);
}

export function readProperty(name: string): string {
  const key = JSON.stringify(name);
  return name in Object.prototype ? `readOwn(v,${key})` : `v[${key}]`;
}
