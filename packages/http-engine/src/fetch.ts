/** The public API of `@ambit/http-engine/fetch`. */
export { ClientGone } from './exchange/through-node.ts';
export { type ErrorHandler, type FetchHandler, FetchServer, type PeerAddress } from './fetch/fetch-server.ts';
export { type ServeOptions, serve } from './fetch/serve.ts';
