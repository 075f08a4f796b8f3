/** How the user's functions report their end, in callback and in promise style. */

/** Ends a hook or a plugin that is written in callback style; an error ends the chain. */
export type Done = (error?: Error | null) => void;
/** Ends a payload hook in callback style; a payload that is not `undefined` replaces the one before. */
export type PayloadDone<Payload = unknown> = (error?: Error | null, payload?: Payload) => void;

/** What callback and promise style have in common as a result. */
export type Settled<T = unknown> = PromiseLike<T> | void;
