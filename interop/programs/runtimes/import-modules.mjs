// Imports modules of Node, and prints those that the runtime does not have, as JSON: `import-modules.mjs fs path`.
const missing = [];
for (const name of process.argv.slice(2)) {
  try {
    await import(`node:${name}`);
  } catch ({ message }) {
    missing.push(message);
  }
}
console.log(JSON.stringify(missing));
