import pino from 'pino';

/** Prints each entry as one line of JSON to the console, which is the log of a worker. */
export const logger = pino({ level: 'info', browser: { asObject: true, serialize: true, write } });

function write(entry: object) {
  try {
    console.log(JSON.stringify(entry));
  } catch {
    // JSON has neither cycles nor bigints.
    console.log(entry);
  }
}
