// Creates elements. Text is always text: nothing that comes from the application is read as markup.

/**
 * @param {string} tag The name of the element, with classes: `span.name.is-quiet`.
 * @param {object} [properties] `on` holds listeners, `style` custom properties; names with a dash and `role` are attributes.
 * @param {...(Node | string | number | null | undefined | false | Array)} children What is inside; nothing for `null` and `false`.
 */
export function h(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name);
  if (classes.length > 0) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(properties)) setProperty(element, key, value);
  append(element, children);
  return element;
}

function setProperty(element, key, value) {
  if (value === undefined || value === null || value === false) return;
  if (key === 'on')
    for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
  else if (key === 'style')
    for (const [name, css] of Object.entries(value)) element.style.setProperty(name, css);
  else if (key.includes('-') || key === 'role' || key === 'for')
    element.setAttribute(key, value === true ? '' : value);
  else element[key] = value;
}

function append(element, children) {
  for (const child of children.flat(Number.POSITIVE_INFINITY)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** Puts other content in an element. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** A heading of a section, and what is below it. */
export function section(title, ...children) {
  return h('section.section', {}, h('h2', {}, title), children);
}

/** What a view says if there is nothing to show. */
export function empty(title, text) {
  return h('div.empty', {}, h('p.empty-title', {}, title), text && h('p', {}, text));
}
