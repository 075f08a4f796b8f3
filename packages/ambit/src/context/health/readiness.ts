/** Decides whether an application is ready: it is not stopping, and all checks of its contexts pass. */
import type { ContextNode } from '../context-node.ts';
import type { CheckResult, CheckStatus, ReadinessCheck } from './readiness-check.ts';

/** The content of the readiness response. */
export interface Readiness {
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
export async function checkReadiness(root: ContextNode): Promise<Readiness> {
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
  const { name } = check;
  const { status } = await check.getResult((result) => logChange(node, name, result));
  return { name, prefix: node.prefix || undefined, status };
}

/** Logs only changes, because probes come every few seconds. */
function logChange({ app, path }: ContextNode, check: string, { status, error }: CheckResult): void {
  const log = app.logWriter.guard(app.log);
  if (status === 'passed') log.info({ check, context: path }, 'readiness check passes again');
  else log.warn({ check, context: path, err: error }, `readiness check ${status}`);
}
