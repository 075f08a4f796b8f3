import type { Database } from './database.ts';

/** A database of Cloudflare. `migrations/` has its tables, which wrangler makes. */
export function openD1(d1: D1Database): Database {
  return {
    async query(sql, ...values) {
      // In D1, the numbers of parameters follow a question mark.
      const statement = d1.prepare(sql.replaceAll(/\$(\d)/g, '?$1'));
      const { results } = await statement.bind(...values).all();
      return results;
    },
  };
}
