// Receives events of the application while the page is visible. It closes the connection otherwise, because a browser has few connections
// for each server.

/** @import { RequestModel } from '@ambit/inspector' */

/** How many requests are stored, even if their view is not open. */
const maxRequests = 5_000;

/** @typedef {'connecting' | 'open' | 'lost'} LiveState */

export class Live {
  /** @type {LiveState} */
  state = 'connecting';
  /** The received requests, the newest first. @type {readonly RequestModel[]} */
  requests = [];
  /** How many bytes the application uses to store requests. */
  bytes = 0;
  /** The id of the last event that was received. */
  #lastEventId = '';
  /** The id of the process, which changes after a restart. */
  #application = '';
  /** @type {EventSource | undefined} */
  #source;
  /** @type {Set<() => void>} */
  #listeners = new Set();

  /**
   * @param {URL} url
   * @param {() => void} onRestart Called when another process responds.
   */
  constructor(url, onRestart) {
    this.url = url;
    this.onRestart = onRestart;
    document.addEventListener('visibilitychange', () => this.#update());
    this.#update();
  }

  /** @param {() => void} listener Called when something has changed. */
  listen(listener) {
    this.#listeners.add(listener);
  }

  #update() {
    if (document.hidden) {
      this.#source?.close();
      this.#source = undefined;
    } else if (this.#source === undefined) this.#connect();
  }

  #connect() {
    const url = new URL(this.url);
    if (this.#lastEventId !== '') url.searchParams.set('after', this.#lastEventId);
    const source = new EventSource(url);
    this.#source = source;
    source.addEventListener('open', () => this.#setState('open'));
    source.addEventListener('error', () => {
      this.#setState('lost');
      // The browser reconnects by itself, unless the response was an error.
      if (source.readyState === EventSource.CLOSED && this.#source === source)
        setTimeout(() => this.#reconnect(source), 2000);
    });
    source.addEventListener('application', ({ data }) => {
      if (this.#application !== '' && this.#application !== data) this.onRestart();
      this.#application = data;
    });
    source.addEventListener('requests', ({ data, lastEventId }) => {
      this.#lastEventId = lastEventId;
      const { requests, bytes } = JSON.parse(data);
      this.requests = [...requests.toReversed(), ...this.requests].slice(0, maxRequests);
      this.bytes = bytes;
      this.#notify();
    });
  }

  #reconnect(/** @type {EventSource} */ source) {
    if (this.#source !== source) return;
    this.#source = undefined;
    this.#update();
  }

  #setState(/** @type {LiveState} */ state) {
    this.state = state;
    this.#notify();
  }

  #notify() {
    for (const listener of this.#listeners) listener();
  }
}
