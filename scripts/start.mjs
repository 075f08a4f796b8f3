// `npm start`: installs and builds if needed, then runs the example application in this process.
import { fileURLToPath } from 'node:url';
import { installWhenNeeded } from './install.mjs';
import { npm } from './steps.mjs';

const entry = new URL('../examples/encapsulation/server.mjs', import.meta.url);

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
installWhenNeeded();
if (npm(['run', '--silent', 'build']) !== 0) {
  console.error('start: the build failed');
  process.exit(1);
}

// The application runs in this process, so Ctrl-C reaches it once, and its exit code is that of this process.
process.argv[1] = fileURLToPath(entry);
await import(entry);

// Some shells that npm starts end on a signal without forwarding it. So the application also stops if the parent process
// has ended.
const shell = process.ppid;
const watch = setInterval(() => process.ppid === shell || process.kill(process.pid, 'SIGTERM'), 250).unref();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => clearInterval(watch));
