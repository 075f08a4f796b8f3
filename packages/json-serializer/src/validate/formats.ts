/** The formats that are checked if a string decides between branches. */

const date = /^(\d{4})-(\d{2})-(\d{2})$/;
const time = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:z|[+-]\d{2}(?::?\d{2})?)$/i;
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const byte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';

function matching(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

function isDate(text: string): boolean {
  const [, year, month, day] = date.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  // setUTCFullYear, because Date.UTC treats the years 0 to 99 as 1900 to 1999.
  const parsed = new Date(0);
  parsed.setUTCFullYear(year, month - 1, day);
  return month >= 1 && parsed.getUTCMonth() === month - 1 && parsed.getUTCDate() === day;
}

function isTime(text: string): boolean {
  const [, hour, minute, second] = time.exec(text)?.map(Number) ?? [];
  return hour !== undefined && hour <= 23 && minute! <= 59 && second! <= 60;
}

function isDateTime(text: string): boolean {
  const [day = '', clock = '', ...rest] = text.split(/t|\s/i);
  return rest.length === 0 && isDate(day) && isTime(clock);
}

function isIpv6(text: string): boolean {
  return text.includes(':') && URL.canParse(`http://[${text}]/`);
}

export const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date', isDate],
  ['time', isTime],
  ['date-time', isDateTime],
  ['email', matching(new RegExp(`^[a-z0-9!#$%&'*+/=?^_\`{|}~.-]+@(?:${label}\\.)+${label}$`, 'i'))],
  ['hostname', matching(new RegExp(`^(?=.{1,253}\\.?$)${label}(?:\\.${label})*\\.?$`, 'i'))],
  ['ipv4', matching(new RegExp(`^(?:${byte}\\.){3}${byte}$`))],
  ['ipv6', isIpv6],
  ['uri', (text: string) => /^[a-z][a-z0-9+.-]*:[^\s]*$/i.test(text) && URL.canParse(text)],
  ['uuid', matching(/^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i)],
]);
