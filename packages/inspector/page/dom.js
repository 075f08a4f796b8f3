// Creates elements. Text is always text: nothing that comes from the application is read as markup.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Child | readonly Children[]} Children */

/**
 * `on` holds listeners, `style` custom properties. Names with a dash, and `role`, are attributes; all others are properties of the element.
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
 * @param {Children[]} children What is inside; nothing for `null` and `false`.
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
 * Puts other content in an element.
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
 * A heading of a section, and what is below it.
 *
 * @param {string} title
 * @param {Children[]} children
 */
export function section(title, ...children) {
  return h('section.section', {}, h('h2', {}, title), children);
}

/**
 * What a view says if there is nothing to show.
 *
 * @param {string} title
 * @param {string} [text]
 */
export function empty(title, text) {
  return h('div.empty', {}, h('p.empty-title', {}, title), text && h('p', {}, text));
}
