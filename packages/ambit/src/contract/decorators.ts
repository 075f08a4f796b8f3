/** What decorators may be. */

/** A decorator that is called on what it decorates. */
export type MethodOf<Owner> = (this: Owner, ...args: never[]) => unknown;

/** A decorator that is computed at each access. */
export interface Accessor<Owner, Value> {
  getter(this: Owner): Value;
  setter?(this: Owner, value: Value): void;
}
