/** The text of dates: the formats date-time, date and time. */
import { SerializationError } from '../errors.ts';
import { dayMs, hasPlainYear } from './clock.ts';
import { describe } from './describe.ts';
import { quote } from './strings.ts';

const twoDigits = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
// Filled when they are used: `T12:34:` per minute of the day, `.567Z` per millisecond, `2024-05-06` for recent days.
const minuteTexts: (string | undefined)[] = new Array(1440).fill(undefined);
const milliTexts: (string | undefined)[] = new Array(1000).fill(undefined);
const dayNumbers = new Float64Array(256).fill(Number.NaN);
const dayTexts: string[] = new Array(256).fill('');

// HOT: once per Date. Reads the clock value once instead of seven fields. Bench: "dates".
function isoText(date: Date): string {
  const ms = date.getTime();
  if (!hasPlainYear(ms)) return date.toISOString();
  const day = Math.floor(ms / dayMs);
  const inDay = ms - day * dayMs;
  const minute = Math.floor(inDay / 60_000);
  const second = Math.floor((inDay - minute * 60_000) / 1000);
  const milli = inDay % 1000;
  return (
    dayText(day) +
    (minuteTexts[minute] ?? addMinute(minute)) +
    twoDigits[second]! +
    (milliTexts[milli] ?? addMilli(milli))
  );
}

function dayText(day: number): string {
  const slot = day & 255;
  if (dayNumbers[slot] !== day) {
    dayNumbers[slot] = day;
    dayTexts[slot] = new Date(day * dayMs).toISOString().slice(0, 10);
  }
  return dayTexts[slot]!;
}

function addMinute(minute: number): string {
  const text = `T${twoDigits[Math.floor(minute / 60)]}:${twoDigits[minute % 60]}:`;
  minuteTexts[minute] = text;
  return text;
}

function addMilli(milli: number): string {
  const text = `.${String(milli).padStart(3, '0')}Z`;
  milliTexts[milli] = text;
  return text;
}

/** The ISO text of a Date, with its local fields as if they were UTC. `date` and `time` are parts of this text. */
function localIsoText(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString();
}

function localDate(date: Date): string {
  const year = date.getFullYear();
  if (!(year >= 1000 && year <= 9999)) return localIsoText(date).slice(0, 10);
  return `${year}-${twoDigits[date.getMonth() + 1]}-${twoDigits[date.getDate()]}`;
}

function localTime(date: Date): string {
  const hours = twoDigits[date.getHours()];
  if (hours === undefined) return localIsoText(date).slice(11, 19);
  return `${hours}:${twoDigits[date.getMinutes()]}:${twoDigits[date.getSeconds()]}`;
}

function refuse(value: unknown, format: string): never {
  throw new SerializationError(`The value ${describe(value)} cannot be converted to a ${format}.`);
}

const formatter = (format: string, ofDate: (date: Date) => string) => ({
  text(value: unknown): string {
    if (value instanceof Date) return `"${ofDate(value)}"`;
    if (typeof value === 'string') return quote(value);
    return value === null ? '""' : refuse(value, format);
  },
  value(value: unknown): string {
    if (value instanceof Date) return ofDate(value);
    if (typeof value === 'string') return value;
    return value === null ? '' : refuse(value, format);
  },
});

const dateTime = formatter('date-time', isoText);
const date = formatter('date', localDate);
const time = formatter('time', localTime);

export const dateTimeText: (value: unknown) => string = dateTime.text;
export const toDateTime: (value: unknown) => string = dateTime.value;
export const dateText: (value: unknown) => string = date.text;
export const toDate: (value: unknown) => string = date.value;
export const timeText: (value: unknown) => string = time.text;
export const toTime: (value: unknown) => string = time.value;
