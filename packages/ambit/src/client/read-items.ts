/** Reads the items of a response as they come: lines of JSON, records of a JSON text sequence, or events. */
import { type EventReader, type ReceivedEvent, StreamFailed } from './event-stream.ts';

/** Media types whose items are lines of JSON; those of a sequence begin with a record separator (RFC 7464, 2.2). */
const lineTypes: ReadonlySet<string> = new Set([
  'application/jsonl',
  'application/x-ndjson',
  'application/json-seq',
]);

/** Whether a response is read as lines of JSON, or as events; `undefined` if it is no stream of items. */
export function itemsOf(response: Response): 'lines' | 'events' | undefined {
  const [type] = (response.headers.get('content-type') ?? '').toLowerCase().split(';', 1);
  if (type?.trim() === 'text/event-stream') return 'events';
  return lineTypes.has(type!.trim()) ? 'lines' : undefined;
}

/** @throws {SyntaxError} for a line that is not JSON. */
export async function* readJsonLines(response: Response): AsyncGenerator<unknown> {
  for await (const line of readLines(response, 'with the rest')) {
    const json = line.startsWith('\x1e') ? line.slice(1) : line;
    if (json.trim() !== '') yield JSON.parse(json);
  }
}

/** @throws {StreamFailed} for the event by which the server tells of an error. */
export async function* readEvents(response: Response, reader: EventReader): AsyncGenerator<ReceivedEvent> {
  reader.reset();
  // An event that is cut off is none (WHATWG HTML, 9.2.6).
  for await (const line of readLines(response, 'without the rest')) {
    const event = reader.read(line);
    if (event === undefined) continue;
    const failure = StreamFailed.of(event);
    if (failure !== undefined) throw failure;
    yield event;
  }
}

/** Lines that end with LF, CR or both. When nobody reads on, the server is told. */
async function* readLines(
  response: Response,
  end: 'with the rest' | 'without the rest',
): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let rest = '';
  let endsWithCr = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      let text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      if (text !== '') {
        if (endsWithCr && text.startsWith('\n')) text = text.slice(1);
        endsWithCr = text.endsWith('\r');
        // A long line may come in many chunks: only those with its end are looked through.
        const lines = /[\r\n]/.test(text) ? (rest + text).split(/\r\n|\r|\n/) : [rest + text];
        rest = lines.pop()!;
        yield* lines;
      }
      if (done) break;
    }
    if (end === 'with the rest') yield rest;
  } finally {
    reader.cancel().catch(() => {});
  }
}
