// Finds Chromium for the browser tests. `node scripts/chromium.mjs --install` installs the package of Debian if there is
// no Chromium.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { installPackages } from './debian.mjs';

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

/** The path of the binary; undefined if there is none. */
function findChromium() {
  return existsSync(chromiumPath) ? chromiumPath : undefined;
}

// If this file runs as a program.
if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (findChromium() === undefined && process.argv.includes('--install') && !process.env.CHROMIUM)
    installPackages(['chromium']);
  if (findChromium() === undefined) {
    console.error(
      `chromium: ${chromiumPath} does not exist; on Debian, install it with \`apt-get install chromium\` as root`,
    );
    process.exitCode = 1;
  }
}
