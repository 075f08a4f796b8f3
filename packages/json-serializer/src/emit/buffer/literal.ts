/** Generates the statements that write a constant into a buffer: as few as possible. */

/**
 * A constant, up to eight characters at once: the double whose bytes are the codes of these characters. It may write
 * bytes after the end of the constant; the next piece overwrites them. ASCII is never a NaN, whose bytes an engine may
 * change: that needs an eighth byte of 0x7f after one of 0xf0 or more.
 */
export function emitLiteral(text: string): string {
  if (/[^ -~]/.test(text)) return `p=writeText(${JSON.stringify(text)},p,s);`;
  const bytes = new DataView(new ArrayBuffer(text.length + 8));
  for (let index = 0; index < text.length; index++) bytes.setUint8(index, text.charCodeAt(index));
  const writes: string[] = [];
  for (let index = 0; index < text.length; ) {
    const rest = text.length - index;
    const at = index === 0 ? 'p' : `p+${index}`;
    if (rest > 4) writes.push(`s.view.setFloat64(${at},${bytes.getFloat64(index, true)},true);`);
    else if (rest > 2) writes.push(`s.view.setInt32(${at},${bytes.getInt32(index, true)},true);`);
    else if (rest === 2) writes.push(`s.view.setUint16(${at},${bytes.getUint16(index, true)},true);`);
    else writes.push(`s.bytes[${at}]=${bytes.getUint8(index)};`);
    index += rest > 4 ? 8 : rest > 2 ? 4 : rest;
  }
  return `${writes.join('')}p+=${text.length};`;
}
