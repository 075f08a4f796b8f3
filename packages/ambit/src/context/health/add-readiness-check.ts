/** Adds a readiness check to a context, after checking its name and its options. */
import { OptionInvalid } from '../../types/errors.ts';
import type { ReadinessCheckFunction, ReadinessCheckOptions } from '../../types/feature-options.ts';
import { type ContextNode, nodeOf } from '../context-node.ts';
import { checkFunction, checkNames, maxTimerMs } from '../options/check-options.ts';
import { type Definition, declareOnce, define } from '../recorded-definitions.ts';
import { ReadinessCheck } from './readiness-check.ts';

const method = 'addReadinessCheck';
const defaults = { timeoutMs: 800, cacheMs: 1_000 } as const;
const smallest = { timeoutMs: 1, cacheMs: 0 } as const;

/** @throws {OptionInvalid} {UnknownOption} */
export function addReadinessCheck(
  node: ContextNode,
  name: string,
  check: ReadinessCheckFunction,
  options: ReadinessCheckOptions = {},
): void {
  if (typeof name !== 'string' || name === '')
    throw new OptionInvalid(method, `requires a name, instead got ${name === '' ? "''" : typeof name}`);
  checkFunction(check, method);
  const owner = `the readiness check '${name}'`;
  checkOptions(options, owner);
  rejectDuplicate(node, name, owner);
  const { timeoutMs = defaults.timeoutMs, cacheMs = defaults.cacheMs } = options;
  node.readinessChecks.push(
    new ReadinessCheck({ name, timeoutMs, cacheMs, run: (signal) => check.call(node.api, signal) }),
  );
  define(node, 'readinessCheck', name, check);
}

function checkOptions(options: unknown, owner: string): void {
  if (typeof options !== 'object' || options === null)
    throw new OptionInvalid(
      owner,
      `options must be object, instead got ${options === null ? 'null' : typeof options}`,
    );
  checkNames(options, Object.keys(defaults), owner);
  for (const [name, value] of Object.entries(options) as [keyof typeof smallest, unknown][]) {
    if (value === undefined) continue;
    const from = smallest[name];
    if (!(Number.isInteger(value) && (value as number) >= from && (value as number) <= maxTimerMs))
      throw new OptionInvalid(
        owner,
        `${name} must be an integer from ${from} to ${maxTimerMs}, instead got ${String(value)}`,
      );
  }
}

/** As with decorators, siblings may use the same name, but a context and its ancestors may not. */
function rejectDuplicate(node: ContextNode, name: string, owner: string): void {
  const root = nodeOf(node.app.root);
  for (const other of root.descendants()) {
    const isRelated = isWithin(node, other) || isWithin(other, node);
    if (!isRelated || other.readinessChecks.every((check) => check.name !== name)) continue;
    const isFirst = (known: Definition): boolean => known.kind === 'readinessCheck' && known.name === name;
    declareOnce(other, isFirst, () => {
      throw new OptionInvalid(owner, `context '${other.path}' has a check of this name`);
    });
  }
}

function isWithin(inner: ContextNode, outer: ContextNode): boolean {
  for (let node: ContextNode | undefined = inner; node !== undefined; node = node.parent)
    if (node === outer) return true;
  return false;
}
