// Routes for users: sign up, log in and log out.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { NameTaken, NotLoggedIn, TooManyAttempts } from './problems.mjs';
import { orUnavailable } from './sessions.mjs';

const hashPassword = promisify(scrypt);
const hashLength = 32;

const credentials = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[a-z0-9-]{1,40}$' },
    password: { type: 'string', minLength: 12, maxLength: 200 },
  },
  required: ['name', 'password'],
  additionalProperties: false,
};
const emptyResponse = { type: 'null', description: 'Done' };

/** Compared with the password if the user does not exist, so that the response takes as long as for a wrong password. */
const dummyUser = { password_salt: randomBytes(16), password_hash: Buffer.alloc(hashLength) };

export async function accounts(context) {
  // `skipOnError: false`: without Redis, attempts cannot be counted, so logging in fails.
  const countAttempt = context.createRateLimit({
    max: 10,
    timeWindow: '1 minute',
    skipOnError: false,
    keyGenerator: ({ body }) => `log-in-${body.name}`,
  });

  async function limitAttempts(request) {
    const { isExceeded, ttlInSeconds } = await orUnavailable(countAttempt(request));
    if (isExceeded) throw new TooManyAttempts(ttlInSeconds);
  }

  context.post(
    '/users',
    { schema: { summary: 'Adds a user', body: credentials, response: { 201: emptyResponse } } },
    async ({ body: { name, password } }, reply) => {
      const salt = randomBytes(16);
      const [added] = await context.sql(
        'insert into users values ($1, $2, $3) on conflict do nothing returning name',
        name,
        salt,
        await hashPassword(password, salt, hashLength),
      );
      if (added === undefined) throw new NameTaken(`The name ${name} is taken.`);
      return reply.code(201).send();
    },
  );

  context.post(
    '/session',
    {
      preHandler: limitAttempts,
      schema: { summary: 'Logs in', body: credentials, response: { 204: emptyResponse } },
    },
    async ({ body: { name, password }, session }, reply) => {
      const [user = dummyUser] = await context.sql('select * from users where name = $1', name);
      const hash = await hashPassword(password, user.password_salt, hashLength);
      if (!timingSafeEqual(hash, user.password_hash)) throw new NotLoggedIn('Name or password is wrong.');
      session.user = name;
      // A new id protects against session fixation: an attacker may know the old one, whose session ends.
      await session.regenerate(['user']);
      return reply.code(204).send();
    },
  );

  context.delete(
    '/session',
    { schema: { summary: 'Logs out', response: { 204: emptyResponse } } },
    async ({ session }, reply) => {
      await session.destroy();
      return reply.code(204).send();
    },
  );
}
