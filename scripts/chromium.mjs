// Chromium for the browser tests. `node scripts/debian.mjs chromium` installs it.

/** Its path on Debian; the variable `CHROMIUM` sets another path. */
export const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Arguments for a browser in a container: no window, no sandbox, no requests of its own, and HTTP over TCP only. */
export const chromiumFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
