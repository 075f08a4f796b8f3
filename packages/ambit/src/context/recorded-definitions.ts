/** Records what each context defines, and by whom: for tools that show the tree. `context-node.ts` has what is in effect. */

import { CallSite } from '../shared/call-site.ts';
import { addFirst, type DeclarationPlace } from '../shared/error-place.ts';
import type { DefinitionKind, Origin } from '../types/inspection.ts';
import type { Registration } from './boot/plugins.ts';
import type { ContextNode } from './context-node.ts';
import { warnIfLate } from './late-settings.ts';

/** Something that a context defines, the line that did it, and the step of boot that the line belongs to. */
export interface Definition extends Origin {
  readonly kind: DefinitionKind;
  readonly name: string | symbol;
  readonly value: unknown;
}

let recordsSites = false;

/**
 * Makes all applications of this process record the line of each declaration from now on: of decorators, hooks, schemas, parsers,
 * handlers, compilers and settings. `listContexts` and `listSteps` return it as `file`. By default they are not recorded,
 * because each line costs a stack trace. A tool must call this before the modules of the application are evaluated. Lines of routes and
 * plugins are always recorded: errors show them.
 */
export function recordDeclarationSites(): void {
  recordsSites = true;
}

/** Whether a tool has asked for the lines of declarations. */
export function isRecordingSites(): boolean {
  return recordsSites;
}

/** Runs a declaration. If there already is one of the same kind and name, the error says where. */
export function declareOnce(
  node: ContextNode,
  isSame: (definition: Definition) => boolean,
  declare: () => void,
): void {
  try {
    declare();
  } catch (error) {
    addFirst(error, findDeclaration(node, isSame));
    throw error;
  }
}

/** Finds where something was declared, in a context or above. */
export function findDeclaration(
  node: ContextNode,
  isSame: (definition: Definition) => boolean,
): DeclarationPlace | undefined {
  for (let owner: ContextNode | undefined = node; owner !== undefined; owner = owner.parent) {
    const first = owner.definitions.find(isSame);
    if (first === undefined) continue;
    const registration = first.step.owner as Registration | undefined;
    return { plugin: owner.path, file: (first.site ?? registration?.site)?.location };
  }
  return undefined;
}

/** Records what a call has defined. Stack frames are only collected here: they become text when a tool reads them. */
export function define(
  node: ContextNode,
  kind: DefinitionKind,
  name: string | symbol,
  value: unknown,
): Definition {
  const site = recordsSites ? new CallSite() : undefined;
  const definition = { kind, name, value, site, step: node.app.boot.step };
  warnIfLate(node, definition);
  node.definitions.push(definition);
  return definition;
}
