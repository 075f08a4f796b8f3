/** The methods of contexts for body parsers; the table is in `parser-table.ts`. */
import { ParserAfterStart } from '../../types/errors.ts';
import type { CollectedParser, PoisoningAction } from '../../types/request.ts';
import { addParser, removeParser } from '../add-parser.ts';
import { changeContext } from '../change-context.ts';
import { type ContextNode, nodeOf } from '../context-node.ts';
import { define } from '../recorded-definitions.ts';
import { asParser, makeJsonReader, readText } from '../text-readers.ts';
import type { ContextMethods } from './context-methods.ts';

const defaultTextParser: CollectedParser<string> = asParser(readText);

const makeLateError = (call: string): Error => new ParserAfterStart(call);

export const parserMethods: ContextMethods = {
  addContentTypeParser(mediaTypes: unknown, optionsOrParser: unknown, parser?: unknown): object {
    const add = (node: ContextNode): void => addParser(node, mediaTypes, optionsOrParser, parser);
    return changeContext(this, 'addContentTypeParser', add, makeLateError);
  },

  hasContentTypeParser(mediaType: string | RegExp): boolean {
    return nodeOf(this).parsers.has(mediaType);
  },

  removeContentTypeParser(mediaTypes: string | RegExp | (string | RegExp)[]): void {
    changeContext(this, 'removeContentTypeParser', (node) => removeParser(node, mediaTypes), makeLateError);
  },

  removeAllContentTypeParsers(): void {
    const removeAll = (node: ContextNode): void => {
      node.parsers.removeAll();
      define(node, 'removedParser', 'all', undefined);
    };
    changeContext(this, 'removeAllContentTypeParsers', removeAll, makeLateError);
  },

  getDefaultJsonParser(onProto: PoisoningAction, onConstructor: PoisoningAction): CollectedParser<string> {
    return asParser(makeJsonReader(onProto, onConstructor));
  },

  get defaultTextParser(): CollectedParser<string> {
    return defaultTextParser;
  },
};
