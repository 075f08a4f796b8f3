// Receives events of the application while the page is visible. It closes the connection otherwise, because a browser has few connections
// for each server.

/** @import { ProcessSample, RequestModel } from '@ambit/inspector' */
/** @import { SaveProblem } from '@ambit/readable' */

/** How many requests are stored, even if their view is not open. */
const maxRequests = 5_000;

/** As many as the application keeps: ten minutes. */
const maxSamples = 600;

/** @typedef {'connecting' | 'open' | 'lost'} LiveState */

export class Live {
  /** @type {LiveState} */
  state = 'connecting';
  /** The received requests, the newest first. It is another list after each change. @type {readonly RequestModel[]} */
  requests = [];
  /** What the process uses, once a second, the oldest first. @type {readonly ProcessSample[]} */
  samples = [];
  /** Why the last save does not start. @type {SaveProblem | null} */
  problem = null;
  /** How many bytes the application uses to store requests. */
  bytes = 0;
  /** The id of the last event that was received. */
  #lastEventId = '';
  /** The id of the process, which changes after a restart. */
  #application = '';
  /** When each running request was received, because its time goes on. @type {WeakMap<RequestModel, number>} */
  #receivedAt = new WeakMap();
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

  /**
   * @param {() => void} listener Called when something has changed.
   * @returns {() => void} Ends that.
   */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param {number} number */
  find(number) {
    const index = this.#indexOf(number);
    return this.requests[index]?.number === number ? this.requests[index] : undefined;
  }

  /** The time of a request until its response has ended, or until now. */
  elapsedMs(/** @type {RequestModel} */ request) {
    const receivedAt = this.#receivedAt.get(request);
    return receivedAt === undefined ? request.ms : request.ms + performance.now() - receivedAt;
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
    source.addEventListener('problem', ({ data }) => {
      this.problem = JSON.parse(data);
      this.#notify();
    });
    source.addEventListener('process', ({ data }) => {
      const lastAt = this.samples.at(-1)?.at ?? 0;
      const samples = /** @type {ProcessSample[]} */ (JSON.parse(data)).filter(({ at }) => at > lastAt);
      this.samples = [...this.samples, ...samples].slice(-maxSamples);
      this.#notify();
    });
    source.addEventListener('requests', ({ data, lastEventId }) => {
      this.#lastEventId = lastEventId;
      const { requests, bytes } = JSON.parse(data);
      this.#store(requests);
      this.bytes = bytes;
      this.#notify();
    });
  }

  /** Adds requests, or puts them in the place of the ones with their numbers. */
  #store(/** @type {readonly RequestModel[]} */ received) {
    const requests = [...this.requests];
    for (const request of received) {
      const index = this.#indexOf(request.number);
      // The list of before is the beginning of this one until it is sorted.
      if (this.requests[index]?.number === request.number) requests[index] = request;
      else requests.push(request);
      if (request.state === 'running') this.#receivedAt.set(request, performance.now());
    }
    this.requests = requests.sort((a, b) => b.number - a.number).slice(0, maxRequests);
  }

  /** The index of the first request whose number is not greater. */
  #indexOf(/** @type {number} */ number) {
    let [low, high] = [0, this.requests.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (/** @type {RequestModel} */ (this.requests[middle]).number > number) low = middle + 1;
      else high = middle;
    }
    return low;
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
