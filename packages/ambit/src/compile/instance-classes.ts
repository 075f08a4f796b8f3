/** Builds the request and reply classes of each context: its decorators become fields of the instances or sit on the prototype. */

import type { ContextNode } from '../context/context-node.ts';
import { type Decorator, type DecoratorName, defineMember } from '../context/decorators.ts';
import { BaseReply } from '../runtime/reply.ts';
import { BaseRequest } from '../runtime/request.ts';
import type { Exchange, Params, RequestId } from '../types/exchange.ts';
import type { Logger } from '../types/logger.ts';
import type { Plan } from '../types/plan.ts';
import type { Request } from '../types/request.ts';

type RequestClass = Plan['Request'];
type ReplyClass = Plan['Reply'];
type OwnDecorators = ReadonlyMap<DecoratorName, Decorator>;

/** The classes of one context. Contexts that decorate nothing share their parent's. */
export interface InstanceClasses {
  readonly Request: RequestClass;
  readonly Reply: ReplyClass;
}

const baseClasses: InstanceClasses = { Request: BaseRequest, Reply: BaseReply };

export function buildClasses(node: ContextNode, parent: InstanceClasses = baseClasses): InstanceClasses {
  const requestDecorators = node.requestDecorators.own;
  const replyDecorators = node.replyDecorators.own;
  const Request = inherited(node, 'requestDecorators', parent.Request, deriveRequest);
  const Reply = inherited(node, 'replyDecorators', parent.Reply, deriveReply);
  return {
    Request: requestDecorators.size === 0 ? Request : deriveRequest(Request, requestDecorators),
    Reply: replyDecorators.size === 0 ? Reply : deriveReply(Reply, replyDecorators),
  };
}

/** The parent's class, without the values that the parent has added after the context was opened. */
function inherited<Class extends object>(
  node: ContextNode,
  table: 'requestDecorators' | 'replyDecorators',
  Parent: Class,
  derive: (Base: Class, own: OwnDecorators) => Class,
): Class {
  const { parent } = node;
  const { missed } = node[table];
  if (parent === undefined || missed.length === 0) return Parent;
  const early = [...parent[table].own].filter(([name]) => !missed.includes(name));
  // The parent's class has members of its own, so it is derived from the class that the parent has inherited.
  return derive(Object.getPrototypeOf(Parent), new Map(early));
}

function deriveRequest(Parent: RequestClass, own: OwnDecorators): RequestClass {
  const setFields = fieldSetter(Parent.prototype, own);
  class ContextRequest extends Parent {
    constructor(x: Exchange, id: RequestId, params: Params | undefined, query: unknown, log: Logger) {
      super(x, id, params, query, log);
      setFields(this);
    }
  }
  defineShared(ContextRequest.prototype, own);
  return ContextRequest;
}

function deriveReply(Parent: ReplyClass, own: OwnDecorators): ReplyClass {
  const setFields = fieldSetter(Parent.prototype, own);
  class ContextReply extends Parent {
    constructor(x: Exchange, request: Request, log: Logger) {
      super(x, request, log);
      setFields(this);
    }
  }
  defineShared(ContextReply.prototype, own);
  return ContextReply;
}

function defineShared(prototype: object, own: OwnDecorators): void {
  for (const [name, { kind, value }] of own) if (kind !== 'value') defineMember(prototype, name, value);
}

/** Sets the value decorators of one context, always in the same order: every instance has the same hidden class. */
function fieldSetter(parentPrototype: object, own: OwnDecorators): (instance: object) => void {
  const fields = [...own].flatMap(([name, { kind, value }]) => (kind === 'value' ? [{ name, value }] : []));
  // HOT: once per request and reply in contexts with decorators.
  const assignable = fields.filter(({ name }) => !(name in parentPrototype));
  // A decorator that hides a member of the base class cannot be assigned: that member may be an accessor.
  const overriding = fields.filter(({ name }) => name in parentPrototype);
  return (instance) => {
    const target = instance as Record<DecoratorName, unknown>;
    for (let i = 0; i < assignable.length; i++) target[assignable[i]!.name] = assignable[i]!.value;
    for (let i = 0; i < overriding.length; i++)
      defineMember(instance, overriding[i]!.name, overriding[i]!.value);
  };
}
