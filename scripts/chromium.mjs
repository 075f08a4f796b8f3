// Finds the Chromium that the browser tests run. `node scripts/chromium.mjs --install` installs Debian's where there is none.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { installPackages } from './debian.mjs';

/** Where it is on Debian; `CHROMIUM` names another. */
const binary = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Path of the binary; undefined when there is none. */
export function findChromium() {
  return existsSync(binary) ? binary : undefined;
}

// As a program.
if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (findChromium() === undefined && process.argv.includes('--install') && !process.env.CHROMIUM)
    installPackages(['chromium']);
  if (findChromium() === undefined) {
    console.error(
      `chromium: there is no ${binary}; on Debian, \`apt-get install chromium\` as root brings it`,
    );
    process.exitCode = 1;
  }
}
