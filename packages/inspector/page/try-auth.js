// The fields in which the user signs a request: those of the security schemes that the OpenAPI document requires, or else one for the header
// `authorization`. The values stay in this tab: they are in its session storage, and in the requests that the form sends.
import { fill, h } from './dom.js';
import { parsePattern } from './url-pattern.js';

/** @import { RouteModel } from '@ambit/inspector' */
/** @import { Model } from './model.js' */

/** @typedef {{ type: string, scheme?: string, in?: string, name?: string, description?: string }} Scheme */
/** @typedef {{ headers: Record<string, string>, query: [name: string, value: string][] }} Signature */
/** @typedef {{ name: string, scheme: Scheme }[]} Requirement Schemes that are required together. */

const storageKey = 'ambit.inspector.credentials';

/** How long the form waits for a document. */
const documentMs = 2_000;

/** The requirement if there is no document: whatever the hooks of the route check. @type {Requirement} */
const anyHeader = [
  { name: 'authorization', scheme: { type: 'apiKey', in: 'header', name: 'authorization' } },
];

/**
 * @param {readonly Requirement[]} choices What the document requires: one of these. Empty if it requires nothing, or if there is none.
 */
export function authFields(choices) {
  const credentials = readCredentials();
  let required = choices[0] ?? anyHeader;
  const fields = h('div.fields');
  const choice = h(
    'select',
    { 'aria-label': 'How to sign the request', on: { change: draw } },
    choices.map((schemes) => h('option', {}, requirementText(schemes))),
  );

  function draw() {
    required = choices[choice.selectedIndex] ?? anyHeader;
    fill(
      fields,
      required.map((one) => schemeField(one, credentials)),
    );
  }

  draw();
  const element =
    choices.length > 0
      ? h(
          'fieldset.fields.try-auth',
          {},
          h('legend', {}, 'Authorization'),
          choices.length > 1 && choice,
          fields,
        )
      : h(
          'details.fold-out.try-auth',
          { open: Object.hasOwn(credentials, 'authorization') },
          h('summary', {}, 'Authorization, if a hook asks for it'),
          fields,
        );
  return {
    element,
    /** @returns {Signature} What the request gets. */
    sign() {
      /** @type {Signature} */
      const signature = { headers: {}, query: [] };
      for (const { name, scheme } of required) addCredential(signature, scheme, credentials[name] ?? '');
      return signature;
    },
  };
}

function addCredential(
  /** @type {Signature} */ { headers, query },
  /** @type {Scheme} */ scheme,
  /** @type {string} */ value,
) {
  if (value === '') return;
  if (scheme.type === 'apiKey' && scheme.in === 'query') query.push([scheme.name ?? '', value]);
  else if (scheme.type === 'apiKey' && scheme.in === 'header') headers[scheme.name ?? ''] = value;
  else if (scheme.type === 'http' && isBasic(scheme)) headers.authorization = `Basic ${toBase64(value)}`;
  else if (scheme.type !== 'apiKey')
    headers.authorization = `${scheme.scheme ?? 'Bearer'} ${value}`.replace(/^bearer/, 'Bearer');
}

function isBasic(/** @type {Scheme} */ { scheme }) {
  return scheme?.toLowerCase() === 'basic';
}

/** Base64 of UTF-8 (RFC 7617, section 2.1). */
function toBase64(/** @type {string} */ text) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function schemeField(
  /** @type {Requirement[number]} */ { name, scheme },
  /** @type {Record<string, string>} */ credentials,
) {
  if (scheme.type === 'apiKey' && scheme.in === 'cookie')
    return h(
      'p.quiet',
      {},
      `The cookie ${scheme.name}: the browser sends it by itself. Sign in on this origin to get it.`,
    );
  if (scheme.type === 'mutualTLS')
    return h('p.quiet', {}, 'The browser asks for the certificate of the client.');
  const [label, placeholder] = labelOf(name, scheme);
  const input = h('input', {
    type: 'password',
    value: credentials[name] ?? '',
    placeholder,
    autocomplete: 'off',
    spellcheck: false,
    on: {
      input: () => {
        credentials[name] = input.value;
        sessionStorage.setItem(storageKey, JSON.stringify(credentials));
      },
    },
  });
  const reveal = h('button.quiet', {
    type: 'button',
    textContent: 'Show',
    'aria-label': `Show ${label}`,
    on: {
      click: () => {
        input.type = input.type === 'password' ? 'text' : 'password';
        reveal.textContent = input.type === 'password' ? 'Show' : 'Hide';
      },
    },
  });
  return h(
    'div.field',
    {},
    h('label', {}, h('span', {}, label), input),
    reveal,
    scheme.description && h('p.field-text', {}, scheme.description),
  );
}

/** @returns {[label: string, placeholder: string]} */
function labelOf(/** @type {string} */ name, /** @type {Scheme} */ scheme) {
  if (scheme.type === 'apiKey' && scheme.name === name)
    return [name, name === 'authorization' ? 'Bearer …' : ''];
  if (scheme.type === 'apiKey') return [`${name} (${scheme.in} ${scheme.name})`, ''];
  if (isBasic(scheme)) return [`${name} (basic)`, 'user:password'];
  if (scheme.type === 'http') return [`${name} (${scheme.scheme})`, 'the token, without its prefix'];
  return [`${name} (access token)`, 'an access token that you have got elsewhere'];
}

/** @returns {Record<string, string>} */
function readCredentials() {
  try {
    return { ...JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') };
  } catch {
    return {};
  }
}

/** The names of the schemes that are required together. */
export function requirementText(/** @type {Requirement} */ schemes) {
  return schemes.map(({ name }) => name).join(' and ') || 'nothing';
}

/**
 * @param {readonly any[]} documents The OpenAPI documents of the application.
 * @param {RouteModel} route
 * @param {string} method
 * @returns {Requirement[]} The requirements to choose from; empty if no document names any.
 */
export function requirementsOf(documents, route, method) {
  for (const document of documents) {
    const paths = Object.entries(document.paths ?? {});
    const [, methods] = shapesOf(route.url).flatMap((shape) =>
      paths.filter(([path]) => withoutNames(path) === shape),
    )[0] ?? ['', undefined];
    const operation = methods?.[method.toLowerCase()];
    if (operation === undefined) continue;
    const schemes = document.components?.securitySchemes ?? {};
    return (operation.security ?? document.security ?? []).map((/** @type {object} */ requirement) =>
      Object.keys(requirement).map((name) => ({ name, scheme: schemes[name] ?? anyHeader[0]?.scheme })),
    );
  }
  return [];
}

/** @type {Promise<any[]> | undefined} */
let documents;

/**
 * The OpenAPI documents that the application serves. They are read once.
 *
 * @param {Model} model
 */
export function readDocuments(model) {
  documents ??= Promise.all(
    model.routes
      .filter(
        ({ plugin, url }) =>
          model.plugins[plugin ?? -1]?.name === '@ambit/openapi' && /^[^:*]*\.json$/.test(url),
      )
      .map(async ({ url }) => {
        try {
          const response = await fetch(location.origin + url, {
            signal: AbortSignal.timeout(documentMs),
            // `ambit dev` shows no line of it: nobody has asked for it.
            headers: { 'x-ambit-inspector': '1' },
          });
          return response.ok ? await response.json() : {};
        } catch {
          // It may be behind a guard, or take too long: then there is the field for any header.
          return {};
        }
      }),
  );
  return documents;
}

/** The paths of a route in a document, without the names of parameters. An optional last parameter makes two. */
function shapesOf(/** @type {string} */ url) {
  const parts = parsePattern(url);
  const shape = (/** @type {typeof parts} */ of) =>
    of.map(({ kind, text }) => (kind === 'text' ? text.replaceAll('::', ':') : '{}')).join('');
  const isOptional = parts.at(-1)?.kind === 'param' && parts.at(-1)?.isOptional;
  return isOptional ? [shape(parts), shape(parts.slice(0, -1)).replace(/(?<=.)\/$/, '')] : [shape(parts)];
}

function withoutNames(/** @type {string} */ path) {
  return path.replace(/\{[^}]*\}/g, '{}');
}
