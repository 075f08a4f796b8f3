/** How the runtime finds the exchange of a request or a reply. */
import type { Exchange } from './exchange.ts';

/**
 * Where a request and a reply keep their exchange. A symbol, since names are free for decorators and for plugins that assign
 * properties; not a private field, since those are not found through a proxy or an object that inherits from a request.
 */
export const exchangeKey: unique symbol = Symbol('exchange');

/** What requests and replies are to the runtime, and responses of node to a transport. */
export interface ExchangeHolder {
  [exchangeKey]: Exchange;
}

/** The exchange behind a request or a reply that came back from the application. */
export function exchangeOf(holder: object): Exchange {
  return (holder as ExchangeHolder)[exchangeKey];
}
