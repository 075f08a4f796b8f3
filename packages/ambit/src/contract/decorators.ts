/** What decorators may be. */

/** A decorator that is called on what it decorates. */
export type MethodOf<Owner> = (this: Owner, ...args: never[]) => unknown;

/** A decorator that is computed at each access. */
export interface Accessor<Owner, Value> {
  /** Returns the value. `this` is the context, request or reply. */
  getter(this: Owner): Value;
  /**
   * Takes a value that is assigned.
   *
   * @param value The value.
   */
  setter?(this: Owner, value: Value): void;
}

/**
 * What a decorator of that name has to be: anything, unless `Bare` has it in every context, because the application declares it there.
 * `Or` has its place in here: beside the condition it would let the compiler infer the values of literals.
 */
export type Expected<Bare, Name, Or = never> = Name extends keyof Bare ? Bare[Name] | Or : unknown;

/** What a request or a reply may start with in the place of a value. */
export type Missing<Part> = Part extends 'context' ? never : null | undefined;

/** A value that requests or replies may start with: an object would be the same one for all of them, and is refused at run time. */
export type InitialValue<Part, Value> = Part extends 'context'
  ? Value
  : IsObject<Value> extends true
    ? NoObject
    : Value;

/** Its member is what the compiler says. A text would let it infer texts as literals. */
interface NoObject {
  readonly 'all requests would share one object: use null, or a getter': never;
}

/** Whether a value is an object for sure: `null as User | null` may be none, and functions are methods. */
type IsObject<Value> = unknown extends Value
  ? false
  : [Value] extends [never]
    ? false
    : [Value] extends [object]
      ? Value extends ((...args: never) => unknown) | (abstract new (...args: never) => unknown)
        ? false
        : true
      : false;
