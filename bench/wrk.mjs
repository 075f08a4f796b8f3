// The load generator for throughput: runs wrk with a script for each scenario, and reads its output.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onLoadCore } from './machine.mjs';
import { idPlaceholder, writeRequest } from './scenarios.mjs';

const run = promisify(execFile);
const marker = 'RESULT ';
const folder = fileURLToPath(new URL('../.cache/bench/', import.meta.url));

/** The Lua script that makes the requests of a scenario. Headers that contain the id placeholder differ in each request. */
export function writeScript(/** @type {import('./scenarios.mjs').Scenario} */ { load, pipelining = 1 }) {
  const parts = writeRequest(load.request).repeat(pipelining).split(idPlaceholder);
  return `
local parts = {${parts.map((part) => JSON.stringify(part)).join(', ')}}
local count = 0
request = function()
  count = count + 1
  return ${parts.length === 1 ? 'parts[1]' : "table.concat(parts, string.format('%016x', count))"}
end
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format('${marker}{"requests":%d,"micros":%d,"p99Micros":%d,"badStatus":%d,"broken":%d}\\n',
    summary.requests, summary.duration, latency:percentile(99), errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
`;
}

/** The figures of wrk, from the line that the script printed. @throws {Error} if a connection broke, or if a status is not the expected one. */
export function readReport(/** @type {string} */ output, status = 200) {
  const line = output.split('\n').find((text) => text.startsWith(marker));
  if (line === undefined) throw new Error(`wrk printed no result:\n${output}`);
  const { badStatus, broken, ...report } = JSON.parse(line.slice(marker.length));
  if (report.requests === 0) throw new Error('under load: no response at all');
  if (broken > 0) throw new Error(`under load: ${broken} connections broke`);
  // wrk counts statuses of 400 and more. It does not read bodies; the check before has read them.
  if (badStatus !== (status >= 400 ? report.requests : 0))
    throw new Error(`under load: ${badStatus} of ${report.requests} responses have a status of 400 or more`);
  return /** @type {{ requests: number, micros: number, p99Micros: number }} */ (report);
}

/**
 * Loads a server for some seconds.
 *
 * @param {number} port
 * @param {import('./scenarios.mjs').Scenario} scenario
 * @param {number} seconds An integer, because wrk accepts nothing else.
 */
export async function loadWithWrk(port, scenario, seconds, connectionCount = 64) {
  const script = `${folder}requests-${process.pid}.lua`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(script, writeScript(scenario));
  const origin = `${scenario.isSecure ? 'https' : 'http'}://127.0.0.1:${port}`;
  const options = ['-t1', `-c${connectionCount}`, `-d${seconds}s`, '-s', script, origin];
  const [command, ...args] = onLoadCore('wrk', ...options);
  try {
    const { stdout } = await run(command, args);
    return readReport(stdout, scenario.load.status);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 127) throw error;
    throw new Error('wrk is not installed: `node scripts/debian.mjs wrk` installs it');
  }
}
