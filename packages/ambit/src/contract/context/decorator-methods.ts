/** The methods of a context for decorators. */
import type { Context, ContextOf } from '../context.ts';
import type { ContextTypes, Extended, Inherited, Member } from '../context-types.ts';
import type { Accessor, Expected, InitialValue, MethodOf, Missing } from '../decorators.ts';
import type { Reply, ReplyOf } from '../reply.ts';
import type { Request, RequestOf } from '../request.ts';

/**
 * Declares a method, an accessor or a value. It is the type of a method, so that a context with more types is assignable to one with fewer.
 * `Owner` is the decorated object, and `Undecorated` is the same object without decorators.
 */
type Decorate<Types extends ContextTypes, Part extends keyof ContextTypes, Owner, Undecorated> = {
  declare<const Name extends string | symbol, Method extends MethodOf<Owner> & Expected<Undecorated, Name>>(
    name: Name,
    method: Method,
    dependencies?: (string | symbol)[],
  ): ContextOf<Extended<Types, Part, Member<Name, Method, Undecorated>>>;
  declare<const Name extends string | symbol, Value extends Expected<Undecorated, Name>>(
    name: Name,
    accessor: Accessor<Owner, Value>,
    dependencies?: (string | symbol)[],
  ): ContextOf<Extended<Types, Part, Member<Name, Value, Undecorated>>>;
  declare<const Name extends string | symbol, Value extends Expected<Undecorated, Name, Missing<Part>>>(
    name: Name,
    value: InitialValue<Part, Value> | void,
    dependencies?: (string | symbol)[],
  ): ContextOf<Extended<Types, Part, Member<Name, Value, Undecorated>>>;
}['declare'];

/** Adds decorators to contexts, requests and replies. */
export interface DecoratorMethods<Types extends ContextTypes> {
  /**
   * Adds a property to this context and to its children.
   *
   * @param name The name of the property.
   * @param value A method, a value, or `{ getter, setter }` for a property that is computed at each access.
   * @param dependencies Names of decorators that must exist already.
   * @returns This context, whose type has the property.
   * @throws {FST_ERR_DEC_ALREADY_PRESENT} if the name is taken.
   * @throws {FST_ERR_DEC_MISSING_DEPENDENCY} if a dependency is missing.
   * @throws {FST_ERR_DEC_AFTER_START} once the application has booted.
   */
  decorate: Decorate<Types, 'context', ContextOf<Inherited<Types>>, Context>;
  /**
   * Adds a property to the requests of this context and of its children.
   *
   * @param name The name of the property.
   * @param value A method, the value that each request starts with, or `{ getter, setter }` for a property that is computed at each access.
   *   It must not be an object: all requests would share it.
   * @param dependencies Names of request decorators that must exist already.
   * @returns This context, whose requests have the property.
   * @throws {FST_ERR_DEC_REFERENCE_TYPE} if `value` is an object.
   * @throws {FST_ERR_DEC_ALREADY_PRESENT} if the name is taken.
   * @throws {FST_ERR_DEC_MISSING_DEPENDENCY} if a dependency is missing.
   * @throws {FST_ERR_DEC_AFTER_START} once the application has booted.
   */
  decorateRequest: Decorate<Types, 'request', RequestOf<Types>, Request>;
  /**
   * Adds a property to the replies of this context and of its children.
   *
   * @param name The name of the property.
   * @param value A method, the value that each reply starts with, or `{ getter, setter }` for a property that is computed at each access.
   *   It must not be an object: all replies would share it.
   * @param dependencies Names of reply decorators that must exist already.
   * @returns This context, whose replies have the property.
   * @throws {FST_ERR_DEC_REFERENCE_TYPE} if `value` is an object.
   * @throws {FST_ERR_DEC_ALREADY_PRESENT} if the name is taken.
   * @throws {FST_ERR_DEC_MISSING_DEPENDENCY} if a dependency is missing.
   * @throws {FST_ERR_DEC_AFTER_START} once the application has booted.
   */
  decorateReply: Decorate<Types, 'reply', ReplyOf<Types>, Reply>;
  /**
   * Tells whether this context has a property of that name: a decorator, or one of its own.
   *
   * @param name The name of the property.
   */
  hasDecorator(name: string | symbol): boolean;
  /**
   * Tells whether the requests of this context have a decorator of that name.
   *
   * @param name The name of the decorator.
   */
  hasRequestDecorator(name: string | symbol): boolean;
  /**
   * Tells whether the replies of this context have a decorator of that name.
   *
   * @param name The name of the decorator.
   */
  hasReplyDecorator(name: string | symbol): boolean;
  /**
   * Reads a decorator of this context.
   *
   * @param name The name that it was declared with.
   * @returns Its value. A function is bound to this context.
   * @throws {FST_ERR_DEC_UNDECLARED} if there is no decorator of that name.
   */
  getDecorator<T = unknown>(name: string | symbol): T;
}
