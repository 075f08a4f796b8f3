/** Reserves standard output for the command. The application's own output to it goes to standard error. */

const write = process.stdout.write.bind(process.stdout);

/** Redirects the application's standard output to standard error from now on. */
export function reserveStdout(): void {
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
}

/** Writes to standard output, and resolves when it is written. */
export function print(content: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    write(content, () => resolve());
  });
}

/** Prints a value as JSON. */
export function printJson(value: unknown): Promise<void> {
  return print(`${JSON.stringify(value, null, 2)}\n`);
}
