import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** Makes each guess of a password cost 32 MiB and some tens of milliseconds. */
const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 2 ** 20 };
const keyBytes = 32;

/** Compared with when there is no such user, so that an answer takes as long as for one that exists. */
const hashOfNobody = `${'0'.repeat(32)}:${'0'.repeat(2 * keyBytes)}`;

/** @returns What to store in place of the password: a random salt and the derived key, in hexadecimal. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await deriveKey(password, salt);
  return `${salt.toString('hex')}:${key.toString('hex')}`;
}

/** Compares in a time that does not depend on where the keys differ, or on whether there is a hash. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [salt = '', key = ''] = (hash ?? hashOfNobody).split(':');
  const given = await deriveKey(password, Buffer.from(salt, 'hex'));
  return timingSafeEqual(given, Buffer.from(key, 'hex')) && hash !== undefined;
}

export function makeToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A token is long and random, so a fast hash is enough: whoever reads the database cannot use what is in it. */
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
