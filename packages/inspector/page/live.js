// Listens to what happens in the application while the page can be seen: a browser has few connections for each server.

/** @import { RequestModel } from '@ambit/inspector' */

/** The most that are kept, whether the view of them is open or not. */
const maxKept = 5_000;

/** @typedef {'connecting' | 'open' | 'lost'} LiveState */

export class Live {
  /** @type {LiveState} */
  state = 'connecting';
  /** What was told, the newest first. @type {readonly RequestModel[]} */
  requests = [];
  /** What the application remembers. */
  bytes = 0;
  /** The last request that was told. */
  #last = '';
  /** The process that answers: another one after a restart. */
  #application = '';
  /** @type {EventSource | undefined} */
  #source;
  /** @type {Set<() => void>} */
  #listeners = new Set();

  /**
   * @param {URL} url
   * @param {() => void} onRestart Another process answers.
   */
  constructor(url, onRestart) {
    this.url = url;
    this.onRestart = onRestart;
    document.addEventListener('visibilitychange', () => this.#update());
    this.#update();
  }

  /** @param {() => void} listener Is called when something has changed. */
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
    if (this.#last !== '') url.searchParams.set('after', this.#last);
    const source = new EventSource(url);
    this.#source = source;
    source.addEventListener('open', () => this.#setState('open'));
    source.addEventListener('error', () => {
      this.#setState('lost');
      // The browser tries again by itself, unless the response was an error.
      if (source.readyState === EventSource.CLOSED && this.#source === source)
        setTimeout(() => this.#again(source), 2000);
    });
    source.addEventListener('application', ({ data }) => {
      if (this.#application !== '' && this.#application !== data) this.onRestart();
      this.#application = data;
    });
    source.addEventListener('requests', ({ data, lastEventId }) => {
      this.#last = lastEventId;
      const { requests, bytes } = JSON.parse(data);
      this.requests = [...requests.toReversed(), ...this.requests].slice(0, maxKept);
      this.bytes = bytes;
      this.#tell();
    });
  }

  #again(/** @type {EventSource} */ source) {
    if (this.#source !== source) return;
    this.#source = undefined;
    this.#update();
  }

  #setState(/** @type {LiveState} */ state) {
    this.state = state;
    this.#tell();
  }

  #tell() {
    for (const listener of this.#listeners) listener();
  }
}
