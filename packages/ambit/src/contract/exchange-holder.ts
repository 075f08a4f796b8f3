/** How the runtime finds the exchange of a request or a reply. */
import type { Exchange } from './exchange.ts';

/**
 * The property in which a request or a reply holds its exchange. It is a symbol because every name is left to decorators and to plugins
 * that assign properties. It is not a private field because a proxy, or an object that inherits from a request, has no access to private
 * fields.
 */
export const exchangeKey: unique symbol = Symbol('exchange');

/** An object that holds its exchange: a request or a reply for the runtime, a response of node for a transport. */
export interface ExchangeHolder {
  [exchangeKey]: Exchange;
}

/** Returns the exchange of a request or a reply that the application passes to the framework. */
export function exchangeOf(holder: object): Exchange {
  return (holder as ExchangeHolder)[exchangeKey];
}
