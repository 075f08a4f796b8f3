#!/usr/bin/env node
// Starts the command. This file is not built, because npm links it before the first build of the repository.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`ambit: this is Node ${process.versions.node}. Install Node 20.19 or newer.`);
  process.exit(1);
}
const { main } = await import('../dist/main.mjs');
await main(process.argv.slice(2));
