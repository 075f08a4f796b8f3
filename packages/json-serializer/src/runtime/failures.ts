/** The errors that compiled serializers throw. They have no path yet: `locateError` finds it later. */
import { SerializationError } from '../errors.ts';

export function failRequired(name: string): never {
  throw new SerializationError(`"${name}" is required!`);
}

export function failMatch(schemaPath: string): never {
  throw new SerializationError(`The value of '${asReference(schemaPath)}' does not match schema definition.`);
}

export function failItem(index: number): never {
  throw new SerializationError(`Item at ${index} does not match schema definition.`);
}

export function failNever(schemaPath: string): never {
  throw new SerializationError(`The schema '${asReference(schemaPath)}' allows no value.`);
}

export function failUndefined(): never {
  throw new SerializationError('undefined cannot be written as JSON');
}

/** A pointer into the root schema gets a `#`, as pointers into other schemas have one. */
function asReference(schemaPath: string): string {
  return schemaPath === '' || schemaPath[0] === '/' ? `#${schemaPath}` : schemaPath;
}
