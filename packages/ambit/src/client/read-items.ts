/** Reads the items of a response while they arrive: lines of JSON, records of a JSON text sequence, or events. */
import { type EventReader, type ReceivedEvent, StreamFailed } from './event-stream.ts';

/** Media types whose items are lines of JSON. In a JSON text sequence, each line begins with a record separator (RFC 7464, 2.2). */
const lineTypes: ReadonlySet<string> = new Set([
  'application/jsonl',
  'application/x-ndjson',
  'application/json-seq',
]);

/** Whether a response is read as lines of JSON, or as events; `undefined` if it is not a stream of items. */
export function itemsOf(response: Response): 'lines' | 'events' | undefined {
  const [type] = (response.headers.get('content-type') ?? '').toLowerCase().split(';', 1);
  if (type?.trim() === 'text/event-stream') return 'events';
  return lineTypes.has(type!.trim()) ? 'lines' : undefined;
}

/** @throws {SyntaxError} for a line that is not JSON. */
export async function* readJsonLines(response: Response): AsyncGenerator<unknown> {
  for await (const line of readLines(response, 'yield')) {
    const json = line.startsWith('\x1e') ? line.slice(1) : line;
    if (json.trim() !== '') yield JSON.parse(json);
  }
}

/** @throws {StreamFailed} for the event with which the server reports an error. */
export async function* readEvents(response: Response, reader: EventReader): AsyncGenerator<ReceivedEvent> {
  reader.reset();
  // An event that is cut off must be ignored (WHATWG HTML, 9.2.6).
  for await (const line of readLines(response, 'drop')) {
    const event = reader.read(line);
    if (event === undefined) continue;
    const failure = StreamFailed.of(event);
    if (failure !== undefined) throw failure;
    yield event;
  }
}

/** Reads lines that end with LF, CR or both. If the caller stops early, the stream is cancelled, so that the server can stop, too. */
async function* readLines(response: Response, unterminatedLine: 'yield' | 'drop'): AsyncGenerator<string> {
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
        // A long line may arrive in many chunks: only a chunk with a line end is joined with the rest and split.
        const lines = /[\r\n]/.test(text) ? (rest + text).split(/\r\n|\r|\n/) : [rest + text];
        rest = lines.pop()!;
        yield* lines;
      }
      if (done) break;
    }
    if (unterminatedLine === 'yield') yield rest;
  } finally {
    reader.cancel().catch(() => {});
  }
}
