/** The routes that probes call, and the readiness checks of contexts: one check with its time limit and cache, and all of them. */
import type { Context } from '../types/context.ts';
import { OptionInvalid, OptionsInvalid } from '../types/errors.ts';
import type {
  HealthOptions,
  ReadinessCheckFunction,
  ReadinessCheckOptions,
} from '../types/feature-options.ts';
import type { Reply } from '../types/reply.ts';
import type { RouteSchema } from '../types/route-schema.ts';
import { ContextNode } from './context-node.ts';
import { type Definition, define, failAsSecond } from './definitions.ts';
import { checkFunction, checkInteger, checkNames, maxTimerMs, typeOf } from './options/check-options.ts';
import { addRoute } from './routes/add-route.ts';

/**
 * The routes have a context of their own, which inherits no hooks and no error handlers: otherwise a hook that authenticates, or that
 * queries a database, would decide about health.
 */
export function addHealthRoutes(root: ContextNode, options: HealthOptions | true): void {
  const { live, ready } = resolveHealth(options);
  const api = Object.create(root.api) as Context;
  const node = new ContextNode(root.app, api, { inPluginName: 'health', inPath: 'health' }, root);
  node.servesProbes = true;
  if (live !== false) {
    const content = { status: 'ok' };
    addProbe(node, live, liveSchema(), (reply) => answer(reply, 200, content));
  }
  if (ready !== false) {
    addProbe(node, ready, readySchema(), async (reply) => {
      const readiness = await checkReadiness(root);
      return answer(reply, readiness.status === 'ready' ? 200 : 503, readiness);
    });
  }
}

const healthDefaults = { live: '/livez', ready: '/readyz' } as const;

/** @returns The paths of probes; `false` if there is no such route. */
function resolveHealth(health: HealthOptions | true): Required<HealthOptions> {
  if (health === true) return healthDefaults;
  checkNames(health, Object.keys(healthDefaults), 'health');
  const paths = { live: health.live ?? healthDefaults.live, ready: health.ready ?? healthDefaults.ready };
  for (const [name, path] of Object.entries(paths)) {
    // A probe calls one fixed path, so the characters of parameters and wildcards are not allowed.
    if (path !== false && !(typeof path === 'string' && /^\/[^:*?#]*$/.test(path)))
      throw new OptionsInvalid(
        `health.${name} must be a path such as '${healthDefaults[name as 'live']}' or false, instead got ${JSON.stringify(path)}`,
      );
  }
  if (paths.live !== false && paths.live === paths.ready)
    throw new OptionsInvalid(
      `health.live and health.ready must be different paths, instead got '${paths.live}' for both`,
    );
  return paths;
}

function addProbe(node: ContextNode, url: string, schema: RouteSchema, run: (reply: Reply) => unknown): void {
  addRoute(node, {
    method: 'GET',
    url,
    schema,
    // The schema is only documentation: it is not compiled, because the application's compilers may take another kind of schemas.
    serializerCompiler: () => JSON.stringify,
    handler: (_request, reply) => run(reply as unknown as Reply),
  });
}

/** Sends a string, so that no serializer of the application changes it. */
function answer(reply: Reply, status: number, content: object): Reply {
  return reply
    .code(status)
    .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .send(JSON.stringify(content));
}

/** Made for each application, because `onRoute` hooks may change it. `hide` keeps them out of API documents, because probes are for the platform, not for clients. */
function liveSchema(): RouteSchema {
  const status = { type: 'string', enum: ['ok'] };
  return { hide: true, response: { 200: objectSchema('The process serves requests.', { status }) } };
}

function readySchema(): RouteSchema {
  return {
    hide: true,
    response: {
      200: readinessSchema('The application should get requests.', ['ready']),
      503: readinessSchema('The application should get no requests.', ['unavailable', 'stopping']),
    },
  };
}

function readinessSchema(description: string, statuses: readonly string[]): object {
  const name = { type: 'string' };
  const prefix = { type: 'string' };
  const status = { type: 'string', enum: ['passed', 'failed', 'timed-out'] };
  const check = { type: 'object', required: ['name', 'status'], properties: { name, prefix, status } };
  return objectSchema(description, {
    status: { type: 'string', enum: statuses },
    checks: { type: 'array', items: check },
  });
}

function objectSchema(description: string, properties: object): object {
  return { description, type: 'object', required: Object.keys(properties), properties };
}

const checkDefaults = { timeoutMs: 800, cacheMs: 1_000 } as const;

export function addReadinessCheck(
  node: ContextNode,
  name: string,
  check: ReadinessCheckFunction,
  options: ReadinessCheckOptions = {},
): void {
  if (typeof name !== 'string' || name === '')
    throw new OptionInvalid(
      'addReadinessCheck',
      `requires a name, instead got ${name === '' ? "''" : typeof name}`,
    );
  checkFunction(check, 'addReadinessCheck');
  const owner = `the readiness check '${name}'`;
  checkOptions(options, owner);
  rejectDuplicate(node, name, owner);
  const { timeoutMs = checkDefaults.timeoutMs, cacheMs = checkDefaults.cacheMs } = options;
  node.readinessChecks.push(
    new ReadinessCheck({ name, timeoutMs, cacheMs, run: (signal) => check.call(node.api, signal) }),
  );
  define(node, 'readinessCheck', name, check);
}

function checkOptions(options: unknown, owner: string): void {
  if (typeof options !== 'object' || options === null)
    throw new OptionInvalid(owner, `options must be object, instead got ${typeOf(options)}`);
  checkNames(options, Object.keys(checkDefaults), owner);
  const makeError = (problem: string): Error => OptionInvalid(owner, problem);
  for (const [name, value] of Object.entries(options))
    checkInteger(name, value, name === 'timeoutMs' ? 1 : 0, makeError, { to: maxTimerMs });
}

/** As with decorators, siblings may use the same name, but a context and its ancestors may not. */
function rejectDuplicate(node: ContextNode, name: string, owner: string): void {
  const related = [...node.descendants()];
  for (let above = node.parent; above !== undefined; above = above.parent) related.push(above);
  const other = related.find(({ readinessChecks }) => readinessChecks.some((check) => check.name === name));
  if (other === undefined) return;
  const isFirst = (known: Definition): boolean => known.kind === 'readinessCheck' && known.name === name;
  failAsSecond(other, isFirst, new OptionInvalid(owner, `context '${other.path}' has a check of this name`));
}

/** The content of the readiness response. */
interface Readiness {
  readonly status: 'ready' | 'unavailable' | 'stopping';
  readonly checks: readonly CheckReport[];
}

interface CheckReport {
  readonly name: string;
  /** The prefix of the context that added it: contexts may use the same name. */
  readonly prefix: string | undefined;
  readonly status: CheckStatus;
}

/** Runs all checks at once. An application that is stopping runs none. */
async function checkReadiness(root: ContextNode): Promise<Readiness> {
  const { server } = root.app;
  if (server.isStopping) return { status: 'stopping', checks: [] };
  const reports: Promise<CheckReport>[] = [];
  for (const node of root.descendants())
    for (const check of node.readinessChecks) reports.push(report(node, check));
  const checks = await Promise.all(reports);
  // The application may have begun to stop meanwhile.
  if (server.isStopping) return { status: 'stopping', checks: [] };
  return { status: checks.every(({ status }) => status === 'passed') ? 'ready' : 'unavailable', checks };
}

async function report(node: ContextNode, check: ReadinessCheck): Promise<CheckReport> {
  const { status } = await check.getResult((result) => logChange(node, check.name, result));
  return { name: check.name, prefix: node.prefix || undefined, status };
}

/** Logs only changes, because probes come every few seconds. */
function logChange({ app, path }: ContextNode, check: string, { status, error }: CheckResult): void {
  const log = app.logWriter.guard(app.log);
  if (status === 'passed') log.info({ check, context: path }, 'readiness check passes again');
  else log.warn({ check, context: path, err: error }, `readiness check ${status}`);
}

type CheckStatus = 'passed' | 'failed' | 'timed-out';

interface CheckResult {
  readonly status: CheckStatus;
  /** Why it did not pass. It is only for the log, because its text may contain addresses and passwords. */
  readonly error: unknown;
}

interface ReadinessCheckSettings {
  readonly name: string;
  readonly timeoutMs: number;
  readonly cacheMs: number;
  run(signal: AbortSignal): unknown;
}

const passed: CheckResult = { status: 'passed', error: undefined };

/** Simultaneous calls share one run, and its result is cached for a while. */
export class ReadinessCheck {
  readonly name: string;
  readonly #settings: ReadinessCheckSettings;
  /** The current run; `undefined` if none is running. */
  #running: Promise<CheckResult> | undefined;
  #last: { readonly result: CheckResult; readonly atMs: number } | undefined;

  constructor(settings: ReadinessCheckSettings) {
    this.name = settings.name;
    this.#settings = settings;
  }

  /**
   * Returns the result of the current run, of the last run if it is recent, or of a new run. Never rejects.
   *
   * @param onChange Called with the first result if it is not `passed`, and with each later result whose status differs from the one
   *   before.
   */
  async getResult(onChange: (result: CheckResult) => void): Promise<CheckResult> {
    const last = this.#last;
    const isRecent = last !== undefined && performance.now() - last.atMs < this.#settings.cacheMs;
    if (this.#running === undefined && isRecent) return last.result;
    this.#running ??= this.#run(onChange);
    return this.#running;
  }

  async #run(onChange: (result: CheckResult) => void): Promise<CheckResult> {
    const { timeoutMs, run } = this.#settings;
    const aborter = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<CheckResult>((resolve) => {
      timer = setTimeout(() => {
        const error = new Error(`the check has not ended within ${timeoutMs} ms`);
        resolve({ status: 'timed-out', error });
        aborter.abort(error);
      }, timeoutMs);
    });
    const outcome = new Promise((resolve) => resolve(run(aborter.signal))).then(
      (value) => (value === false ? failed(new Error('the check returned false')) : passed),
      (error) => failed(error),
    );
    const result = await Promise.race([timeout, outcome]);
    clearTimeout(timer);
    const previousStatus = (this.#last?.result ?? passed).status;
    this.#running = undefined;
    this.#last = { result, atMs: performance.now() };
    if (result.status !== previousStatus) onChange(result);
    return result;
  }
}

function failed(error: unknown): CheckResult {
  return { status: 'failed', error };
}
