// The load generator for throughput: runs wrk with a script for each scenario, and reads its output.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { idPlaceholder, writeRequest } from './load.mjs';
import { onLoadCore } from './pinning.mjs';
import { WrongResponse } from './responses.mjs';

const run = promisify(execFile);
const connectionCount = 64;
const marker = 'RESULT ';

/** Printed by the script at the end; `%d` writes numbers as integers. */
const reportScript = `
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format('${marker}{"requests":%d,"micros":%d,"p99Micros":%d,"badStatus":%d,"broken":%d}\\n',
    summary.requests, summary.duration, latency:percentile(99), errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
`;

/**
 * The Lua script that makes the requests of a scenario. Headers that contain the id placeholder differ in each request.
 *
 * @param {import('./scenarios.mjs').Scenario} scenario
 */
export function writeScript({ load, pipelining }) {
  const text = writeRequest(load.request).toString('latin1').repeat(pipelining);
  const parts = text.split(idPlaceholder).map((part) => JSON.stringify(part));
  const body =
    parts.length === 1
      ? `local text = ${parts[0]}\nrequest = function() return text end`
      : `local parts = {${parts.join(', ')}}
local count = 0
request = function()
  count = count + 1
  return table.concat(parts, string.format('%016x', count))
end`;
  return `${body}\n${reportScript}`;
}

/** @returns The figures of wrk, from the line that the script printed. */
export function readReport(/** @type {string} */ output) {
  const line = output.split('\n').find((text) => text.startsWith(marker));
  if (line === undefined) throw new Error(`wrk printed no result:\n${output}`);
  return /** @type {{ requests: number, micros: number, p99Micros: number, badStatus: number, broken: number }} */ (
    JSON.parse(line.slice(marker.length))
  );
}

/**
 * Loads a server for some seconds.
 *
 * @param {number} port
 * @param {import('./scenarios.mjs').Scenario} scenario
 * @param {number} seconds An integer, because wrk accepts nothing else.
 * @returns {Promise<{ requests: number, micros: number, p99Micros: number }>}
 * @throws {WrongResponse} if a connection broke, or if a status is not the one that the scenario requires.
 */
export async function loadWithWrk(port, scenario, seconds) {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-bench-'));
  const file = join(folder, 'requests.lua');
  writeFileSync(file, writeScript(scenario));
  const options = [
    '-t1',
    `-c${connectionCount}`,
    `-d${seconds}s`,
    '-s',
    file,
    `${scenario.isSecure ? 'https' : 'http'}://127.0.0.1:${port}`,
  ];
  const [command, ...args] = [...onLoadCore('wrk'), ...options];
  try {
    const { stdout } = await run(command, args);
    const report = readReport(stdout);
    checkReport(report, scenario.load.status);
    return report;
  } catch (error) {
    throw error.code === 'ENOENT'
      ? new Error('wrk is not installed: `node scripts/debian.mjs wrk` installs it')
      : error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** wrk counts statuses of 400 and more. It does not read bodies; the check before has read them. */
function checkReport({ requests, badStatus, broken }, status) {
  if (requests === 0) throw new WrongResponse('under load: no response at all');
  if (broken > 0) throw new WrongResponse(`under load: ${broken} connections broke`);
  const expectedBad = status >= 400 ? requests : 0;
  if (badStatus !== expectedBad)
    throw new WrongResponse(`under load: ${badStatus} of ${requests} responses have a status of 400 or more`);
}
