/** A client that shows what `fetch` hides: trailers and 1xx answers. */
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  trailers: NodeJS.Dict<string>;
  body: string;
  /** The headers of each 1xx answer that came before. */
  hints: IncomingHttpHeaders[];
}

/** One GET request over a connection of its own. */
export async function ask(url: string, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  const hints: IncomingHttpHeaders[] = [];
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { agent: false, headers })
      .on('information', (info) => hints.push(info.headers))
      .on('response', resolve)
      .on('error', reject)
      .end();
  });
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) body += chunk;
  return {
    status: response.statusCode!,
    headers: response.headers,
    trailers: response.trailers,
    body,
    hints,
  };
}
