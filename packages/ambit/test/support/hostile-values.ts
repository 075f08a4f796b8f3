/** Values that throw when they are read, converted or logged, and others that nobody expects. */

const boom = (): never => {
  throw new Error('read');
};

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function revokedError(): object {
  const { proxy, revoke } = Proxy.revocable(new Error('revoked'), {});
  revoke();
  return proxy;
}

/** An instance, not a literal: those are taken for values without a closer look. */
function ofClass(properties: PropertyDescriptorMap): object {
  return Object.create({}, properties) as object;
}

/** A fresh one for each test: some of them can be used once. */
export const hostileObjects: Readonly<Record<string, () => object>> = {
  'a proxy that was revoked': revoked,
  'a proxy of an error that was revoked': revokedError,
  'a proxy whose traps throw': () =>
    new Proxy(
      {},
      { get: boom, has: boom, ownKeys: boom, getPrototypeOf: boom, getOwnPropertyDescriptor: boom },
    ),
  'an object whose pipe throws': () => Object.defineProperty({}, 'pipe', { get: boom, enumerable: true }),
  'an object whose then throws': () => Object.defineProperty({}, 'then', { get: boom, enumerable: true }),
  'an object whose then method throws': () => ({
    // biome-ignore lint/suspicious/noThenProperty: that is the point.
    then: boom,
  }),
  'an object whose toString throws': () => ({ toString: boom, valueOf: boom }),
  'an object whose toJSON throws': () => ({ toJSON: boom }),
  'an object whose tag throws': () => ofClass({ [Symbol.toStringTag]: { get: boom } }),
  'an object without a prototype': () => Object.create(null) as object,
  'an object that contains itself': () => {
    const self: { self?: unknown } = {};
    self.self = self;
    return self;
  },
  'an object that looks like a stream': () => ({ pipe: boom, on: boom }),
  'an object that looks like a web stream': () =>
    ofClass({ getReader: { value: () => ({ read: boom, cancel: boom }) } }),
  'an object that looks like a response': () =>
    ofClass({
      [Symbol.toStringTag]: { value: 'Response' },
      status: { value: 201 },
      headers: { value: [['x-header', Symbol('value')]] },
      body: { value: { getReader: boom } },
    }),
  'a frozen object': () => Object.freeze({ a: 1 }),
  'a frozen error': () => Object.freeze(new Error('frozen')),
};

/** Errors whose fields throw when they are read, or are of a kind that cannot be converted. */
export function hostileErrors(): [name: string, make: () => object][] {
  const fields = ['status', 'statusCode', 'headers', 'message', 'code', 'stack', 'name', 'cause', 'toJSON'];
  const values: [string, PropertyDescriptor][] = [
    ['throws when it is read', { get: boom }],
    ['is a symbol', { value: Symbol('field') }],
    ['has no prototype', { value: Object.create(null) }],
    ['is a proxy that was revoked', { value: revoked() }],
    ['is 200', { value: 200 }],
    ['is a BigInt', { value: 404n }],
  ];
  return fields.flatMap((field) =>
    values.map(([what, descriptor]): [string, () => object] => [
      `an error whose ${field} ${what}`,
      () =>
        Object.defineProperty(new Error('failed'), field, {
          ...descriptor,
          enumerable: true,
          configurable: true,
        }),
    ]),
  );
}
