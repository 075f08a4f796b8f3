/** Creates a request of node's class. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type NodeRequest, type RequestClass, setHeaders } from './node-internals.ts';

export interface RequestFacts {
  readonly socket: Socket;
  readonly method: string;
  readonly target: string;
  readonly joinsDuplicates: boolean;
  listRawHeaders(): string[];
  makeHeaders(): IncomingHttpHeaders;
}

/** Creates the request as node's parser would, without its body. */
export function makeRawRequest(RequestClass: RequestClass, facts: RequestFacts): IncomingMessage {
  const request: NodeRequest = new RequestClass(facts.socket);
  request.httpVersionMajor = 1;
  request.httpVersionMinor = 1;
  request.httpVersion = '1.1';
  request.joinDuplicateHeaders = facts.joinsDuplicates;
  request.url = facts.target;
  request.method = facts.method;
  request.upgrade = false;
  setHeaders(request, facts.listRawHeaders(), () => facts.makeHeaders());
  return request;
}

/** Ends the body, as node's parser does. */
export function completeRawRequest(request: IncomingMessage): void {
  request.complete = true;
  request.push(null);
}
