/** The segments into which `nested-code.ts` divides the code for long lists, and how deeply the code is then nested. */
import type { SchemaDialect } from '../../types/compilers.ts';

/** How many entries of a keyword are nested before a new segment begins. */
export const segmentSize = 32;
/** Keywords whose entries Ajv nests with `ok`, which it calls once per entry. */
export const keywordsWithOk: readonly string[] = ['properties', 'items', 'prefixItems', 'allOf'];
/**
 * Keywords whose branches apply to the same data. For draft 2020-12, Ajv tracks what the branches have evaluated, which only its own code
 * can do.
 */
export const branchKeywords: readonly string[] = ['allOf', 'anyOf'];
const segmentedKeywords = [...keywordsWithOk, 'anyOf'];

/** Returns how deeply the code for this number of entries of a keyword is nested. */
export function blocksOf(keyword: string, entries: number, dialect: SchemaDialect): number {
  const isTracked = dialect === '2020-12' && branchKeywords.includes(keyword);
  const isSegmented = entries > segmentSize && segmentedKeywords.includes(keyword) && !isTracked;
  return isSegmented ? segmentSize + Math.ceil(entries / segmentSize) : entries;
}
