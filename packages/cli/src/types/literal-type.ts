/** Writes a JSON value as a literal type of TypeScript, as `as const` would infer it. */

/** @param level How many levels of two spaces the lines after the first are indented. */
export function literalType(value: unknown, level: number): string {
  return write(JSON.parse(JSON.stringify(value) ?? 'null'), level);
}

function write(value: unknown, level: number): string {
  if (Array.isArray(value)) return `readonly [${value.map((item) => write(item, level)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  const indent = '  '.repeat(level + 1);
  const members = entries.map(
    ([name, member]) => `${indent}readonly ${nameOf(name)}: ${write(member, level + 1)};\n`,
  );
  return `{\n${members.join('')}${'  '.repeat(level)}}`;
}

/** A property name in TypeScript. Integers are written without quotes, because the statuses of responses are such names. */
function nameOf(name: string): string {
  return /^(0|[1-9]\d*|[A-Za-z_$][\w$]*)$/.test(name) ? name : JSON.stringify(name);
}
