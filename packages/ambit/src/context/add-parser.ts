/** Reads the arguments of `addContentTypeParser` and `removeContentTypeParser`, which take one media type or many. */
import { warnLooseMediaTypePattern } from '../types/warnings.ts';
import type { ContextNode } from './context-node.ts';
import { checkSpelling, type KnownNames } from './options/check-spelling.ts';
import type { ParserOptions } from './parser-table.ts';
import { declareOnce, define } from './recorded-definitions.ts';

const spelling: KnownNames = { known: ['parseAs', 'bodyLimit'] };

/** Options are optional. Parsers are called with their context as `this`. */
export function addParser(
  node: ContextNode,
  mediaTypes: unknown,
  optionsOrParser: unknown,
  parser: unknown,
): void {
  const isParser = typeof optionsOrParser === 'function';
  const { compatibility } = node.app;
  const options = (isParser ? {} : (optionsOrParser ?? {})) as ParserOptions;
  if (typeof options === 'object') {
    checkSpelling(options, spelling, 'addContentTypeParser', compatibility);
  }
  const userParser = isParser ? optionsOrParser : parser;
  const parse = typeof userParser === 'function' ? userParser.bind(node.api) : userParser;
  for (const type of [mediaTypes].flat()) {
    const name = String(type).toLowerCase();
    declareOnce(
      node,
      (known) => known.kind === 'parser' && String(known.name).toLowerCase() === name,
      () =>
        node.parsers.add(type, options, parse, node.app.options.bodyLimit, !compatibility.checksDeclarations),
    );
    define(node, 'parser', String(type), userParser);
    if (type instanceof RegExp) warnOfLoosePattern(node, type);
  }
}

/** Warns if a pattern can match in the middle of the value, because a parameter of another media type may then match it. */
function warnOfLoosePattern({ app }: ContextNode, { source }: RegExp): void {
  if (!source.startsWith('^') && !source.includes(';?'))
    warnLooseMediaTypePattern(app.compatibility.messages, source);
}

export function removeParser(node: ContextNode, mediaTypes: unknown): void {
  for (const type of [mediaTypes].flat()) {
    node.parsers.remove(type);
    define(node, 'removedParser', String(type), undefined);
  }
}
