/** The types of decorators. */

/** A decorator that is a method of the object that it decorates. */
export type MethodOf<Owner> = (this: Owner, ...args: never[]) => unknown;

/** A decorator that is computed at each access. */
export interface Accessor<Owner, Value> {
  /** Returns the value. `this` is the context, request or reply. */
  getter(this: Owner): Value;
  /**
   * Called when a value is assigned.
   *
   * @param value The value.
   */
  setter?(this: Owner, value: Value): void;
}

/**
 * The type that a decorator of this name must have: any type, unless the application has declared the name for every context, by augmenting
 * `Undecorated`. `OtherValue` is a parameter because a union outside the condition would make the compiler infer literal types.
 */
export type Expected<Undecorated, Name, OtherValue = never> = Name extends keyof Undecorated
  ? Undecorated[Name] | OtherValue
  : unknown;

/** The values with which a request or a reply may start instead of a value of the declared type. */
export type Missing<Part> = Part extends 'context' ? never : null | undefined;

/** A value with which requests or replies may start. An object is rejected at run time, because all of them would share it. */
export type InitialValue<Part, Value> = Part extends 'context'
  ? Value
  : IsObject<Value> extends true
    ? NoObject
    : Value;

/** Its member is the message in the compiler's error. A string type instead would make the compiler infer string literals. */
interface NoObject {
  readonly 'all requests would share one object: use null, or a getter': never;
}

/** Whether a value is certainly an object: `null as User | null` may be `null`, and functions are methods. */
type IsObject<Value> = unknown extends Value
  ? false
  : [Value] extends [never]
    ? false
    : [Value] extends [object]
      ? Value extends ((...args: never) => unknown) | (abstract new (...args: never) => unknown)
        ? false
        : true
      : false;
