/** What developers are told about mistakes of their handlers and hooks, with the line and the remedy. Not loaded in production. */
import { hintAboutUndefined, nodeOf } from '../context/definitions.ts';
import { takesDone } from '../context/hooks.ts';
import { CallSite } from '../shared/call-site.ts';
import { undefinedMember } from '../shared/readable.ts';
import { attempt } from '../shared/thrown-values.ts';
import type { Exchange } from '../types/exchange.ts';
import type { HookName } from '../types/hooks.ts';
import type { Step } from '../types/plan.ts';
import { warnMixedHook, warnSecondReply } from '../types/warnings.ts';
import { declaredAt, routeSite } from './unanswered-requests.ts';

/** Adds a hint to an error about a value that was `undefined`: the log and the page of the error show it. */
export function addHint(x: Exchange, error: unknown): void {
  const hint = hintAboutBody(x, error) ?? hintAboutUndefined(error, nodeOf(x.plan.context));
  if (hint !== undefined) attempt(() => Object.assign(error as Error, { hint }));
}

function hintAboutBody({ steps, nextStep }: Exchange, error: unknown): string | undefined {
  const { name } = steps[nextStep - 1] ?? {};
  const [object = '', member] = undefinedMember(error) ?? [];
  if (member !== 'body' || !/^req(uest)?$/.test(object)) return undefined;
  return name === 'onRequest' || name === 'preParsing'
    ? `the body is read after the ${name} hooks: read '${object}.body' in a preValidation hook or later`
    : undefined;
}

/** Warns once for each route that a reply is dropped. @param isResult Whether it was returned, and not passed to `reply.send`. */
export function warnDropped(x: Exchange, isResult: boolean): void {
  const { info } = x.plan;
  if (!isFirst('reply', info)) return;
  const site = isResult ? routeSite(x) : new CallSite().file;
  const mistake = isResult
    ? 'its handler has called reply.send, and returns a value too'
    : 'reply.send is called again';
  warnSecondReply(`${x.method} ${info.url ?? x.url}`, site === undefined ? mistake : `${mistake} (${site})`);
}

/** Warns once of a hook that is not async, takes `done` and has returned a promise. */
export function checkHookStyle(x: Exchange, { name, app }: Step): void {
  const { declared } = app!;
  if (!takesDone(name as HookName, declared.length, true) || !isFirst('hook', declared)) return;
  const title = declared.name ? `${name} "${declared.name}"` : name;
  const file = declaredAt(x, app!);
  warnMixedHook(`${x.method} ${x.plan.info.url ?? x.url}`, file === undefined ? title : `${title} (${file})`);
}

const told = { reply: new WeakSet<object>(), hook: new WeakSet<object>() };

/** Whether nothing was said yet of this mistake of a route or a hook. */
function isFirst(mistake: keyof typeof told, owner: object): boolean {
  const isNew = !told[mistake].has(owner);
  told[mistake].add(owner);
  return isNew;
}
