/** Generates the statements that check an array before it is written. */
import { longItems } from '../runtime/values.ts';

/** A statement for an array `v` with the length `l`, before anything is written for each item. */
export const checkLength: string = `if(l>${longItems})checkItems(v);\n`;

export function checkArray(schemaPath: string): string {
  return `if(!Array.isArray(v))failMatch(${JSON.stringify(schemaPath)});\n`;
}
