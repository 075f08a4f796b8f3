// Creates elements. Text from the application is always inserted as text, never as markup.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Child | readonly Children[]} Children */

/**
 * `on` contains listeners, `style` custom properties. Names with a dash, and `role`, are attributes; all others are properties of the
 * element.
 *
 * @typedef {{ on?: { [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type]) => void },
 *   style?: Record<string, string | number>, [name: string]: unknown }} Properties
 */

/**
 * @template {string} Tag
 * @typedef {Tag extends `${infer Name}.${string}` ? ElementOf<Name> :
 *   Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag] : HTMLElement} ElementOf
 */

/**
 * @template {string} Tag
 * @param {Tag} tag The name of the element, with classes: `span.name.is-quiet`.
 * @param {Properties} [properties]
 * @param {Children[]} children The content. `null` and `false` add nothing.
 * @returns {ElementOf<Tag>}
 */
export function h(tag, properties = {}, ...children) {
  const [name = 'div', ...classes] = tag.split('.');
  const element = document.createElement(name);
  if (classes.length > 0) element.className = classes.join(' ');
  const { on = {}, style = {}, ...others } = properties;
  for (const [type, listener] of Object.entries(on))
    element.addEventListener(type, /** @type {EventListener} */ (listener));
  for (const [key, css] of Object.entries(style)) element.style.setProperty(key, String(css));
  for (const [key, value] of Object.entries(others)) setProperty(element, key, value);
  append(element, children);
  return /** @type {ElementOf<Tag>} */ (element);
}

const svgNamespace = 'http://www.w3.org/2000/svg';

/**
 * Creates an element of SVG.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} name
 * @param {Record<string, string | number>} [attributes]
 * @param {Children[]} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  append(element, children);
  return element;
}

function setProperty(
  /** @type {HTMLElement} */ element,
  /** @type {string} */ key,
  /** @type {unknown} */ value,
) {
  if (value === undefined || value === null || value === false) return;
  if (key.includes('-') || key === 'role' || key === 'for')
    element.setAttribute(key, value === true ? '' : String(value));
  else Object.assign(element, { [key]: value });
}

function append(/** @type {Element} */ element, /** @type {readonly Children[]} */ children) {
  const flat = /** @type {readonly any[]} */ (children).flat(Number.POSITIVE_INFINITY);
  for (const child of /** @type {Child[]} */ (flat)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Replaces the content of an element.
 *
 * @template {Element} E
 * @param {E} element
 * @param {Children[]} children
 * @returns {E}
 */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/**
 * Puts a text on the clipboard.
 *
 * @param {string} text
 * @returns {Promise<boolean>} Whether the browser has done it. Without HTTPS, it does so on this machine only.
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * A section with a heading and its content.
 *
 * @param {string} title
 * @param {Children[]} children
 */
export function section(title, ...children) {
  return h('section.section', {}, h('h2', {}, title), children);
}

/**
 * The content of a view if there is nothing to show.
 *
 * @param {string} title
 * @param {string} [text]
 */
export function empty(title, text) {
  return h('div.empty', {}, h('p.empty-title', {}, title), text && h('p', {}, text));
}
