/** Tells quickly that something is nowhere in a schema, so that no search for it is needed. */

/** Larger schemas are searched: they may be circular. */
const maxObjects = 1_000;

// HOT: for each schema of each route at boot.
/**
 * Whether a member may be somewhere in a schema.
 *
 * @param isWanted Is called with the name and the value of each member.
 * @returns Also true if the schema is too large to be looked through here.
 */
export function mayMention(schema: unknown, isWanted: (name: string, value: unknown) => boolean): boolean {
  let left = maxObjects;
  const visit = (object: object): boolean => {
    if (--left < 0) return true;
    for (const name in object) {
      const value = (object as Readonly<Record<string, unknown>>)[name];
      if (isWanted(name, value) || (typeof value === 'object' && value !== null && visit(value))) return true;
    }
    return false;
  };
  return typeof schema === 'object' && schema !== null && visit(schema);
}
