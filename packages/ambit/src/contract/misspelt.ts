/** Finds misspelt names at the type level, where any name may be there and the compiler does not ask. */

/**
 * Refuses of the names given those that are a slip away from a known one: a letter left out, doubled, or swapped with the next, or other
 * capitals.
 */
export type Misspelt<Given extends PropertyKey, Known extends PropertyKey> = Given &
  SlipOf<Known & string> extends never
  ? unknown
  : { [Name in Given & SlipOf<Known & string>]: DidYouMean<MeantBy<Name, Known & string>> };

/** Says which name is meant. */
export interface DidYouMean<_Name> {
  readonly [meant]: never;
}
declare const meant: unique symbol;

type MeantBy<Name, Known extends string> = Known extends string
  ? Name extends SlipOf<Known>
    ? Known
    : never
  : never;

type SlipOf<Known extends string> = Known extends string
  ? Exclude<SlipIn<Known, ''> | Lowercase<Known> | Uppercase<Known> | Capitalize<Known>, Known>
  : never;

type SlipIn<Rest extends string, Before extends string> = Rest extends `${infer Letter}${infer After}`
  ?
      | `${Before}${After}`
      | `${Before}${Letter}${Letter}${After}`
      | (After extends `${infer Next}${infer Tail}` ? `${Before}${Next}${Letter}${Tail}` : never)
      | SlipIn<After, `${Before}${Letter}`>
  : never;
