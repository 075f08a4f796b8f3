/** Types of lists: of items, of branches, of names. */

export type List = readonly unknown[];

/**
 * The union of a list's items. `Items[number]` is the same union, but makes the compiler create all members of an array type for each list.
 * Matching short lists by their length avoids that, and saves a seventh of the check time of a route.
 */
export type ItemOf<Items> = Items extends readonly [infer A]
  ? A
  : Items extends readonly [infer A, infer B]
    ? A | B
    : Items extends readonly [infer A, infer B, infer C]
      ? A | B | C
      : Items extends readonly [infer A, infer B, infer C, infer D]
        ? A | B | C | D
        : Items extends List
          ? Items[number]
          : unknown;

/** The types of a list's items, in which the items after the last one with a default are optional. */
export type ToLastDefault<
  Items extends List,
  ItemTypes extends List,
  Absent extends List = [],
> = Items extends readonly [...infer Before, infer Last]
  ? ItemTypes extends [...infer Types, infer Type]
    ? 'default' extends keyof Last
      ? [...ItemTypes, ...Partial<Absent>]
      : ToLastDefault<Before, Types, [Type, ...Absent]>
    : never
  : Partial<Absent>;
