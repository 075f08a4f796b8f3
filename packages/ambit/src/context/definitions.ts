/** Owns the record of what a context defines, and by whom: for tools that show the tree. */
import type { DefinitionKind } from '../contract/inspection.ts';
import { CallSite } from '../shared/call-site.ts';
import type { ContextNode } from './context-node.ts';
import type { RegistrationOrigin } from './wrap-plugin.ts';

/** Something that a context defines, the line that did it, and the step of boot that the line belongs to. */
export interface Definition extends RegistrationOrigin {
  readonly kind: DefinitionKind;
  readonly name: string | symbol;
  readonly value: unknown;
}

/** Records what a call has defined. Frames are only collected: they become text when a tool asks. */
export function define(
  node: ContextNode,
  kind: DefinitionKind,
  name: string | symbol,
  value: unknown,
): Definition {
  const definition = { kind, name, value, site: new CallSite(), step: node.app.boot.step };
  node.definitions.push(definition);
  return definition;
}
