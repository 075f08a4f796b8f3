/** Finds the name of a component: the name that its schema declares, or a name that is generated from its path. */
import { type Part, uriOf } from '@ambit/json-schema';
import type { Target } from './schema-location.ts';

export interface ComponentName {
  readonly name: string;
  readonly isGenerated: boolean;
}

/** @param hint A name for the whole schema that contains the target, if it has none. */
export function componentNameOf(
  { schema, base }: Part,
  { name, by }: Pick<Target, 'name' | 'by'>,
  hint: string,
): ComponentName {
  const declaredName = nameOf(schema, by === 'definition' ? name : '');
  if (declaredName !== undefined) return { name: declaredName, isGenerated: false };
  const { root } = base.document;
  const owner = (uriOf(root) === '' ? undefined : nameOf(root, '')) ?? hint;
  return { name: isUnnamed(name) ? owner : `${owner}_${name.replace(/^#/, '')}`, isGenerated: true };
}

/** The name that the schema declares, or its name in `definitions`. */
function nameOf(schema: unknown, definition: string): string | undefined {
  const { $id, title } = schema as { $id?: unknown; title?: unknown };
  const heading = typeof title === 'string' && title.trim() !== '' ? title : undefined;
  if (typeof $id === 'string' && !$id.startsWith('#')) {
    const id = $id.replace(/#.*$/, '');
    return isUri(id) ? (heading ?? lastSegment(id)) : id;
  }
  return isUnnamed(definition) ? heading : definition;
}

/** Libraries give numbers to schemas without a name: `__schema0`. */
function isUnnamed(name: string): boolean {
  return name === '' || name.startsWith('__');
}

function isUri(id: string): boolean {
  return id.includes('://') || id.startsWith('urn:');
}

function lastSegment(uri: string): string {
  const segments = uri.replace(/[/:]+$/, '').split(/[/:]/);
  return segments.at(-1)!.replace(/(?:\.schema)?\.json$/, '');
}
