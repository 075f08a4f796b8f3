/** Lets node accept the connections that wait in the system. They would be reset if the listener closed before. */

/** Longest time for it: where new connections come all the time, there is no end. */
const acceptMs = 2_000;
/** For so long, the listener does not close behind a long turn. A process that is always busy has no other. */
const awaitQuietMs = 500;
/** What a turn takes in which hardly anything was to do. */
const quietMs = 0.3;

/**
 * Node accepts one connection in each turn of the event loop, so this waits for turns in which none came.
 *
 * @param countAccepted How many connections the server has accepted until now.
 */
export async function acceptPending(countAccepted: () => number): Promise<void> {
  const startedMs = performance.now();
  for (;;) {
    const before = countAccepted();
    // Two: only between them is it certain that the sockets were looked at.
    await nextTurn();
    const lookedMs = performance.now();
    await nextTurn();
    const nowMs = performance.now();
    const elapsedMs = nowMs - startedMs;
    // After a long turn, further connections may be there that nobody has looked at.
    const isQuiet = nowMs - lookedMs <= quietMs || elapsedMs >= awaitQuietMs;
    if ((isQuiet && countAccepted() === before) || elapsedMs >= acceptMs) return;
  }
}

// Not `node:timers/promises`: importing Ambit would load it for every application.
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
