/** Lists the tags of a document. */
import type { TagObject } from '../document-types.ts';
import { copyJson } from '../json.ts';
import type { DocumentedRoute } from './documented-route.ts';

/** The tags of a document: those of its options in their order, then those that its routes use, sorted by name. */
export function describeTags(
  declared: readonly TagObject[],
  routes: readonly DocumentedRoute[],
): TagObject[] {
  const tags = new Map(declared.map((tag) => [tag.name, tag]));
  const used = new Set<string>();
  const described = new Set<TagObject>();
  for (const { schema, inherited } of routes) {
    for (const name of inherited.tags) used.add(name);
    for (const name of (schema.tags ?? []) as string[]) used.add(name);
    for (const tag of inherited.describedTags) described.add(tag);
  }
  const others = new Map([...used].sort().map((name) => [name, { name } as TagObject]));
  for (const tag of described) if (others.get(tag.name)?.description === undefined) others.set(tag.name, tag);
  for (const [name, tag] of others) if (!tags.has(name)) tags.set(name, tag);
  return copyJson([...tags.values()]) as TagObject[];
}
