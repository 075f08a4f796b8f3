// Runs wrk at a constant rate. wrk also reports idle connections that are closed as errors, so this file counts lost
// requests itself: requests that got no response with the status 200.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

const connections = 10;
/** The pause between a response and the next request of the same connection. */
const pauseMs = 25;
/** wrk checks every second whether the stop file exists, and then waits for the missing responses. */
const lastResponsesMs = 2_500;

const script = (stopFile) => `
-- wrk calls request() once before it begins.
sent = -1
answered = 0
local isOver, lookedAt = false, 0
local threads = {}

function setup(thread) table.insert(threads, thread) end

function delay()
  local now = os.time()
  if now ~= lookedAt then
    lookedAt = now
    local file = io.open('${stopFile}')
    if file then isOver = true file:close() end
  end
  return isOver and 3600000 or ${pauseMs}
end

function request()
  sent = sent + 1
  if sent % 2 == 0 then return wrk.format('GET', '/') end
  return wrk.format('POST', '/', { ['content-type'] = 'application/json' }, '{"note":"wrk"}')
end

function response(status)
  if status == 200 then answered = answered + 1 end
end

function done()
  local thread = threads[1]
  io.write(string.format('RESULT {"sent":%d,"answered":%d}\\n', thread:get('sent'), thread:get('answered')))
end
`;

/** @param {string} folder The folder for its files. */
export async function startWrk(port, folder) {
  const stopFile = join(folder, `wrk-${port}.stop`);
  const file = join(folder, `wrk-${port}.lua`);
  await writeFile(file, script(stopFile));
  const args = ['-t1', `-c${connections}`, '-d1h', '--timeout', '5s', '-s', file, `http://127.0.0.1:${port}`];
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => child.kill();
  process.once('exit', kill);
  const ended = once(child, 'exit');
  const printed = text(child.stdout);
  return {
    /** @returns {Promise<{ sent: number, lost: number }>} */
    async stop() {
      await writeFile(stopFile, '');
      await wait(lastResponsesMs);
      // On SIGINT, wrk prints its results.
      child.kill('SIGINT');
      await ended;
      process.removeListener('exit', kill);
      const { sent, answered } = JSON.parse(/RESULT (.*)/.exec(await printed)[1]);
      return { sent, lost: sent - answered };
    },
  };
}
