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
  ? TupleOf<EachOf<Items, V, At>, OlderTuple<Schema, Items>, V, At>
  : Schema extends { readonly items: infer Items }
    ? Items extends List
      ? TupleOf<EachOf<Items, V, At>, Schema, V, At>
      : V['side'] extends 'output'
        ? Infer<Items, V, At>[]
        : readonly Infer<Items, V, At>[]
    : 'unevaluatedItems' extends keyof Schema
      ? V['side'] extends 'output'
        ? Infer<UnevaluatedItems<Schema>, V, At>[]
        : readonly Infer<UnevaluatedItems<Schema>, V, At>[]
      : unknown[];

/** A tuple of draft 2020-12 in the keywords of draft 7. */
type OlderTuple<Schema, Items> = Pick<Schema, keyof Schema & ('minItems' | 'maxItems')> & {
  readonly items: Items;
} & (Schema extends { readonly items: infer Rest }
    ? { readonly additionalItems: Rest }
    : { readonly additionalItems: UnevaluatedItems<Schema> });

type EachOf<Items extends List, V extends View, At extends AnyLocation> = {
  -readonly [Index in keyof Items]: Infer<Items[Index], V, At>;
};

/** What `minItems` does not ask for may be absent. Only "all of them" is worked out: less than that counts as none. */
type TupleOf<Each extends List, Schema, V extends View, At extends AnyLocation> = Schema extends {
  readonly minItems: Each['length'];
}
  ? [...Each, ...RestOf<Each, Schema, V, At>]
  : [...PartlyFilled<Each, Schema, V, At>, ...RestOf<Each, Schema, V, At>];

/** Ajv fills in the defaults of items: then those before are there, too, since it validates them. */
type PartlyFilled<
  Each extends List,
  Schema,
  V extends View,
  At extends AnyLocation,
> = V['side'] extends 'output'
  ? At['fills'] extends true
    ? Schema extends { readonly items: infer Items extends List }
      ? Extract<Items[number], { readonly default: unknown }> extends never
        ? Partial<Each>
        : ToLastDefault<Items, Each>
      : Partial<Each>
    : Partial<Each>
  : Partial<Each>;

type RestOf<Each extends List, Schema, V extends View, At extends AnyLocation> = Schema extends
  | { readonly additionalItems: false }
  | { readonly maxItems: Each['length'] }
  ? []
  : Schema extends { readonly additionalItems: infer Items }
    ? Infer<Items, V, At>[]
    : unknown[];
