/** The object type that asks for nothing. */
export type Empty = Record<never, never>;
