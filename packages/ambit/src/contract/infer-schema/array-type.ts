/** The type of an array or a tuple. */

import type { View } from './input-output-views.ts';
import type { List, ToLastDefault } from './lists.ts';
import type { AnyLocation } from './schema-location.ts';
import type { Infer } from './schema-type.ts';
import type { UnevaluatedItems } from './unevaluated.ts';

export type ItemKeywords = { readonly items: unknown } | { readonly prefixItems: unknown };

export type ArrayOf<Schema, V extends View, At extends AnyLocation> = Schema extends {
  readonly prefixItems: infer Items extends List;
}
  ? TupleOf<ItemTypesOf<Items, V, At>, OlderTuple<Schema, Items>, V, At>
  : Schema extends { readonly items: infer Items }
    ? Items extends List
      ? TupleOf<ItemTypesOf<Items, V, At>, Schema, V, At>
      : V['side'] extends 'output'
        ? Infer<Items, V, At>[]
        : readonly Infer<Items, V, At>[]
    : 'unevaluatedItems' extends keyof Schema
      ? V['side'] extends 'output'
        ? Infer<UnevaluatedItems<Schema>, V, At>[]
        : readonly Infer<UnevaluatedItems<Schema>, V, At>[]
      : unknown[];

/** Converts a tuple of draft 2020-12 to the keywords of draft 7. */
type OlderTuple<Schema, Items> = Pick<Schema, keyof Schema & ('minItems' | 'maxItems')> & {
  readonly items: Items;
} & (Schema extends { readonly items: infer Rest }
    ? { readonly additionalItems: Rest }
    : { readonly additionalItems: UnevaluatedItems<Schema> });

type ItemTypesOf<Items extends List, V extends View, At extends AnyLocation> = {
  -readonly [Index in keyof Items]: Infer<Items[Index], V, At>;
};

/** Items that `minItems` does not require are optional. It only counts if it requires all items. */
type TupleOf<ItemTypes extends List, Schema, V extends View, At extends AnyLocation> = Schema extends {
  readonly minItems: ItemTypes['length'];
}
  ? [...ItemTypes, ...RestOf<ItemTypes, Schema, V, At>]
  : [...PartlyFilled<ItemTypes, Schema, V, At>, ...RestOf<ItemTypes, Schema, V, At>];

/** Ajv fills in the defaults of items. The items before such an item are then present, too, because Ajv validates them. */
type PartlyFilled<
  ItemTypes extends List,
  Schema,
  V extends View,
  At extends AnyLocation,
> = V['side'] extends 'output'
  ? At['fillsDefaults'] extends true
    ? Schema extends { readonly items: infer Items extends List }
      ? Extract<Items[number], { readonly default: unknown }> extends never
        ? Partial<ItemTypes>
        : ToLastDefault<Items, ItemTypes>
      : Partial<ItemTypes>
    : Partial<ItemTypes>
  : Partial<ItemTypes>;

type RestOf<ItemTypes extends List, Schema, V extends View, At extends AnyLocation> = Schema extends
  | { readonly additionalItems: false }
  | { readonly maxItems: ItemTypes['length'] }
  ? []
  : Schema extends { readonly additionalItems: infer Items }
    ? Infer<Items, V, At>[]
    : unknown[];
