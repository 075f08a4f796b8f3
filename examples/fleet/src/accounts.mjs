// Users, and logging in and out.
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
const nothing = { type: 'null', description: 'Done' };

/** So that a name that nobody has takes as long as a wrong password. */
const nobody = { password_salt: randomBytes(16), password_hash: Buffer.alloc(hashLength) };

export async function accounts(context) {
  // Closed: while nobody can count the attempts, nobody can guess passwords.
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
    { schema: { summary: 'Adds a user', body: credentials, response: { 201: nothing } } },
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
      schema: { summary: 'Logs in', body: credentials, response: { 204: nothing } },
    },
    async ({ body: { name, password }, session }, reply) => {
      const [user = nobody] = await context.sql('select * from users where name = $1', name);
      const hash = await hashPassword(password, user.password_salt, hashLength);
      if (!timingSafeEqual(hash, user.password_hash)) throw new NotLoggedIn('Name or password is wrong.');
      session.user = name;
      // A new id: somebody may have known the old one. The sessions of before are over.
      await session.regenerate(['user']);
      return reply.code(204).send();
    },
  );

  context.delete(
    '/session',
    { schema: { summary: 'Logs out', response: { 204: nothing } } },
    async ({ session }, reply) => {
      await session.destroy();
      return reply.code(204).send();
    },
  );
}
