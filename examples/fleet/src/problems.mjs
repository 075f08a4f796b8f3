// The errors that clients of this service may see, as problem details (RFC 9457).
import { defineProblem } from 'ambit';

const typeOf = (name) => `https://example.com/problems/${name}`;

export const NotLoggedIn = defineProblem({
  type: typeOf('not-logged-in'),
  title: 'You are not logged in',
  status: 401,
});
export const NameTaken = defineProblem({
  type: typeOf('name-taken'),
  title: 'The name is taken',
  status: 409,
});
export const NoSuchNote = defineProblem({
  type: typeOf('no-such-note'),
  title: 'There is no such note',
  status: 404,
});
export const KeyReused = defineProblem({
  type: typeOf('idempotency-key-reused'),
  title: 'The idempotency key belongs to another note',
  status: 422,
});

const TooMany = defineProblem({
  type: typeOf('too-many-attempts'),
  title: 'Too many attempts',
  status: 429,
});
export class TooManyAttempts extends TooMany {
  constructor(retryAfterSeconds) {
    super('There were too many attempts to log in with this name.');
    this.headers = { 'retry-after': `${retryAfterSeconds}` };
  }
}

const DependencyUnavailable = defineProblem({
  type: typeOf('unavailable'),
  title: 'A dependency does not respond',
  status: 503,
});

/**
 * Postgres or Redis does not respond. The service does not know then whether a write was executed, so the client must
 * retry with the same idempotency key.
 */
export class Unavailable extends DependencyUnavailable {
  constructor(dependency, cause) {
    super(`${dependency} does not respond at the moment. Try again soon.`, { dependency }, { cause });
    this.headers = { 'retry-after': '1' };
  }
}
