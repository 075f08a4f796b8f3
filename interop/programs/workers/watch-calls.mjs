// Watches what workers must not do while a module is imported. workerd refuses a part of it: timers, and random bytes.

/** What was called, in order. */
export const calls = [];

/** @returns The function or class, with a record of each call. */
export function watch(name, original) {
  return new Proxy(original, {
    apply(target, self, args) {
      calls.push(name);
      return Reflect.apply(target, self, args);
    },
    construct(target, args, made) {
      calls.push(name);
      return Reflect.construct(target, args, made);
    },
  });
}

const watched = {
  globalThis: [
    globalThis,
    ['setTimeout', 'setInterval', 'setImmediate', 'fetch', 'WebSocket', 'eval', 'Function'],
  ],
  Math: [Math, ['random']],
  crypto: [crypto, ['getRandomValues', 'randomUUID']],
  caches: [caches, ['open']],
};

for (const [label, [owner, names]] of Object.entries(watched))
  for (const name of names) owner[name] = watch(`${label}.${name}`, owner[name]);
