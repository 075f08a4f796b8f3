import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** The cost of a guess. With these values, it needs 32 MiB and some tens of milliseconds. */
const currentCost = { ln: 15, r: 8, p: 3 };
const keyBytes = 32;

/**
 * @returns The text to store instead of the password: the cost, a random salt and the derived key. The cost is stored, so that it
 *   can be raised later: hashes of the old cost stay valid.
 */
export async function hashPassword(password: string, cost = currentCost): Promise<string> {
  const salt = randomBytes(16);
  const key = await deriveKey(password, salt, cost);
  return `${describeCost(cost)}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/** The time of the comparison depends neither on the position of a difference nor on whether there is a hash. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const hashOfNobody = `${describeCost(currentCost)}$$${Buffer.alloc(keyBytes).toString('base64url')}`;
  const [, , ln = '', r = '', p = '', salt = '', key = ''] = (hash ?? hashOfNobody).split(/[$,]/);
  const cost = { ln: readNumber(ln), r: readNumber(r), p: readNumber(p) };
  const derived = await deriveKey(password, Buffer.from(salt, 'base64url'), cost);
  return timingSafeEqual(derived, Buffer.from(key, 'base64url')) && hash !== undefined;
}

/** Whether a hash has another cost than new ones. */
export function isOutdated(hash: string): boolean {
  return !hash.startsWith(`${describeCost(currentCost)}$`);
}

export function makeToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The database stores only hashes, so that its content does not reveal tokens. A token is long and random, so a fast hash is enough. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The cost in the form of other password hashes (PHC string format). */
function describeCost({ ln, r, p }: typeof currentCost): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}`;
}

/** The number of a text such as `ln=15`. */
function readNumber(text: string): number {
  return Number(text.slice(text.indexOf('=') + 1));
}

function deriveKey(password: string, salt: Buffer, { ln, r, p }: typeof currentCost): Promise<Buffer> {
  const options = { N: 2 ** ln, r, p, maxmem: 2 ** ln * r * 256 };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize(), salt, keyBytes, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
