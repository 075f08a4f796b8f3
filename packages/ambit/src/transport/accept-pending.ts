/** Lets node accept the connections that wait in the operating system, because they would be reset if the listener closed first. */

/** The longest time to accept connections: on a busy server, new ones come all the time. */
const maxAcceptMs = 2_000;
/** The longest wait for a short turn of the event loop. A process that is always busy has none. */
const maxQuietWaitMs = 500;
/** A turn that takes at most this time had hardly anything to do. */
const quietMs = 0.3;

/**
 * Node accepts one connection per turn of the event loop, so this waits for a turn in which none came.
 *
 * @param countAccepted Returns how many connections the server has accepted so far.
 */
export async function acceptPending(countAccepted: () => number): Promise<void> {
  const startedMs = performance.now();
  for (;;) {
    const acceptedBefore = countAccepted();
    // Two turns: node has certainly polled the sockets between them.
    await nextTurn();
    const turnStartedMs = performance.now();
    await nextTurn();
    const nowMs = performance.now();
    const elapsedMs = nowMs - startedMs;
    // After a long turn, further connections may be waiting.
    const isQuiet = nowMs - turnStartedMs <= quietMs || elapsedMs >= maxQuietWaitMs;
    if ((isQuiet && countAccepted() === acceptedBefore) || elapsedMs >= maxAcceptMs) return;
  }
}

// Not `node:timers/promises`: importing Ambit would load it for every application.
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
