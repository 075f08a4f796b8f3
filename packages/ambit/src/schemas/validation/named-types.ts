/** Reads the types that a schema names, by the rules of Ajv's strict mode. */
import { jsonTypes } from '@ambit/json-schema';

const types: ReadonlySet<unknown> = new Set(jsonTypes);

/** The types that a schema names; `undefined` if Ajv would reject them or warn. */
export function typesOf({ type, nullable }: Record<string, unknown>): readonly unknown[] | undefined {
  if (type === undefined) return [];
  const named: readonly unknown[] = [type].flat();
  if (named.length === 0 || !named.every((name) => types.has(name))) return undefined;
  if (new Set(named).size !== named.length) return undefined;
  const isNullable = named.includes('null');
  if (isNullable && nullable === false) return undefined;
  return named.length > (isNullable ? 2 : 1) ? undefined : named;
}

/** Whether a keyword that is for one type applies to one of the named types. */
export function appliesTo(named: readonly unknown[], type: string): boolean {
  return named.includes(type) || (type === 'number' && named.includes('integer'));
}
