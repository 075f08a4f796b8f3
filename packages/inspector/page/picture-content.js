// What a box of the picture says, and where in the box: the name of the context, its prefix, its hoisted plugins, and what it adds.
import { count, countKind, kinds, shortFile } from './format.js';

/** @import { DefinitionModel } from '@ambit/inspector' */
/** @import { Model } from './model.js' */

/** @typedef {'name' | 'prefix' | 'plugin' | 'adds' | 'more' | 'mark' | 'label'} TextKind Each has a font. */

/**
 * A text in a box. Its place is relative to the content of the box, in units of the picture; `y` is that of its middle.
 *
 * @typedef {object} BoxText
 * @property {string} text Shortened, so that it fits.
 * @property {TextKind} kind
 * @property {number} x
 * @property {number} y
 */

/**
 * A mark with a background: a guard, or how many there are of something.
 *
 * @typedef {object} Mark
 * @property {string} text
 * @property {DefinitionModel['kind'] | 'route' | 'guard' | 'inside'} kind
 * @property {number} x
 * @property {number} y The middle.
 * @property {number} width
 */

/**
 * @typedef {object} BoxContent
 * @property {number} width
 * @property {number} height
 * @property {readonly BoxText[]} texts
 * @property {readonly Mark[]} marks
 */

/** @typedef {(text: string, kind: TextKind) => number} Measure The width of a text in units of the picture. */

const minWidth = 96;
/** The widest content of a box, unless the boxes inside are wider. */
const usualWidth = 250;
const lineHeight = 18;
export const markHeight = 18;
const markPadding = 7;
/** The space of the shield in front of the name of a guard. */
const shieldWidth = 13;
const markGap = 5;
/** The space beside a name for the button that folds the box. */
const foldWidth = 20;
const maxPlugins = 5;
const maxGuards = 4;
/** Names that are read of a definition or a plugin. No box shows more. */
const maxNames = 8;

/** Hooks that run before the handler, and may answer in its place. */
const guardHooks = new Set(['onRequest', 'preParsing', 'preValidation', 'preHandler']);

/**
 * @param {Model} model
 * @param {number} id
 * @param {number} inside How many contexts are inside, but folded.
 * @param {number} insideWidth The width of the boxes that are drawn inside.
 * @param {Measure} measure
 * @returns {BoxContent}
 */
export function contentOf(model, id, inside, insideWidth, measure) {
  const { name, prefix } = model.context(id);
  const content = new ContentBuilder(measure, Math.max(usualWidth, insideWidth));
  content.addLine([['name', name]]);
  if (prefix !== '') content.addLine([['prefix', prefix]]);
  const { hoisted } = model.pluginsIn(id);
  const definitions = model.definitionsOf(id);
  for (const plugin of hoisted.slice(0, maxPlugins)) {
    const added = definitions.filter((definition) => definition.plugin === plugin.id);
    const names = added.slice(0, maxNames).map((definition) => definition.name || 'schema');
    content.addLine([
      ['plugin', `↥ ${plugin.name}`],
      ['adds', names.join(', ')],
    ]);
  }
  if (hoisted.length > maxPlugins)
    content.addLine([['more', `and ${count(hoisted.length - maxPlugins, 'more hoisted plugin')}`]]);
  for (const mark of marksOf(model, id, inside)) content.addMark(...mark);
  return content.end();
}

/** @typedef {[kind: Mark['kind'], text: string]} UnplacedMark */

/**
 * The guards by name, and the number of everything else that the context defines itself, without its hoisted plugins.
 *
 * @returns {UnplacedMark[]}
 */
function marksOf(/** @type {Model} */ model, /** @type {number} */ id, /** @type {number} */ inside) {
  const hoisted = new Set(model.pluginsIn(id).hoisted.map((plugin) => plugin.id));
  const own = model.definitionsOf(id).filter(({ plugin }) => plugin === null || !hoisted.has(plugin));
  const guards = own.filter(({ kind, name }) => kind === 'hook' && guardHooks.has(name));
  const others = own.filter(({ kind, name }) => kind !== 'hook' || !guardHooks.has(name));
  const routes = model.routesOf[id]?.length ?? 0;
  /** @type {UnplacedMark[]} */
  const marks = guards.slice(0, maxGuards).map((guard) => ['guard', guardName(guard, model.folder)]);
  if (guards.length > maxGuards) marks.push(['guard', `${guards.length - maxGuards} more`]);
  for (const kind of kinds) {
    const number = others.filter((definition) => definition.kind === kind).length;
    if (number > 0) marks.push([kind, countKind(number, kind)]);
  }
  if (routes > 0) marks.push(['route', count(routes, 'route')]);
  if (inside > 0) marks.push(['inside', `${count(inside, 'context')} inside`]);
  return marks;
}

/** The name of the function of a hook. Without one, it is the line, or the name of the hook. */
function guardName(/** @type {DefinitionModel} */ { name, value, file }, /** @type {string} */ folder) {
  return /^function (.+)$/s.exec(value)?.[1] ?? (file === null ? name : shortFile(file, folder));
}

/** Places texts in lines, and marks in rows below them. */
class ContentBuilder {
  /** @type {BoxText[]} */
  #texts = [];
  /** @type {Mark[]} */
  #marks = [];
  #width = minWidth;
  #bottom = 0;
  /** Where the next mark is. */
  #markX = 0;
  #measure;
  #maxWidth;

  constructor(/** @type {Measure} */ measure, /** @type {number} */ maxWidth) {
    this.#measure = measure;
    this.#maxWidth = maxWidth;
  }

  addLine(/** @type {[kind: TextKind, text: string][]} */ parts) {
    let x = 0;
    const y = this.#bottom + lineHeight / 2;
    for (const [kind, full] of parts) {
      const edge = kind === 'name' ? foldWidth : 0;
      const shortened = kind === 'prefix' ? shortenStart : shorten;
      const text = shortened(full, this.#maxWidth - edge - x, (part) => this.#measure(part, kind));
      if (text === '') continue;
      this.#texts.push({ text, kind, x, y });
      x += this.#measure(text, kind);
      this.#width = Math.max(this.#width, x + edge);
      x += 7;
    }
    this.#bottom += lineHeight;
  }

  addMark(/** @type {Mark['kind']} */ kind, /** @type {string} */ full) {
    const edges = 2 * markPadding + (kind === 'guard' ? shieldWidth : 0);
    const text = shorten(full, this.#maxWidth - edges, (part) => this.#measure(part, 'mark'));
    const width = this.#measure(text, 'mark') + edges;
    const isFirst = this.#marks.length === 0;
    if (isFirst || this.#markX + width > this.#maxWidth) {
      this.#bottom += markHeight + (isFirst ? markGap + 2 : markGap);
      this.#markX = 0;
    }
    this.#marks.push({ kind, text, x: this.#markX, y: this.#bottom - markHeight / 2, width });
    this.#width = Math.max(this.#width, this.#markX + width);
    this.#markX += width + markGap;
  }

  /** @returns {BoxContent} */
  end() {
    return { width: this.#width, height: this.#bottom, texts: this.#texts, marks: this.#marks };
  }
}

/** The maximum length that is measured: no box has space for more. */
const maxLength = 120;

/**
 * The beginning of a text that fits into a width, with `…` if it is not the whole text.
 *
 * @param {string} text
 * @param {number} width
 * @param {(text: string) => number} measure
 */
export function shorten(text, width, measure) {
  if (text.length <= maxLength && measure(text) <= width) return text;
  const characters = [...text.slice(0, maxLength)];
  let [fits, tooLong] = [0, characters.length];
  while (fits + 1 < tooLong) {
    const middle = (fits + tooLong) >> 1;
    if (measure(`${characters.slice(0, middle).join('')}…`) <= width) fits = middle;
    else tooLong = middle;
  }
  return fits === 0 ? '' : `${characters.slice(0, fits).join('')}…`;
}

/**
 * The end of a text that fits into a width, with `…` in front: the prefix of a context begins as that of its parent does.
 *
 * @param {string} text
 * @param {number} width
 * @param {(text: string) => number} measure
 */
export function shortenStart(text, width, measure) {
  const reverse = (/** @type {string} */ part) => [...part].reverse().join('');
  return reverse(shorten(reverse(text), width, (part) => measure(reverse(part))));
}
