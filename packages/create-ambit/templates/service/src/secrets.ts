import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** With these values, each guess of a password needs 32 MiB and some tens of milliseconds. */
const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 2 ** 20 };
const keyBytes = 32;

/** Used if the user does not exist, so that the response takes as long as for an existing user. */
const hashOfNobody = `${'0'.repeat(32)}:${'0'.repeat(2 * keyBytes)}`;

/** @returns The text to store instead of the password: a random salt and the derived key, in hexadecimal. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await deriveKey(password, salt);
  return `${salt.toString('hex')}:${key.toString('hex')}`;
}

/** The time of the comparison depends neither on the position of a difference nor on whether there is a hash. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [salt = '', key = ''] = (hash ?? hashOfNobody).split(':');
  const derived = await deriveKey(password, Buffer.from(salt, 'hex'));
  return timingSafeEqual(derived, Buffer.from(key, 'hex')) && hash !== undefined;
}

export function makeToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The database stores only hashes, so that its content does not reveal tokens. A token is long and random, so a fast hash is enough. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function deriveKey(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize(), salt, keyBytes, cost, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
