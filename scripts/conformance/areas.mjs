// The areas of the framework, and the area that each test file of the suite belongs to.

/** The areas in the order of the report. A file belongs to the first area that has a matching pattern. Paths are below `test/`. */
const areas = [
  ['HTTP/2 and HTTPS', [/^https?2?\//]],
  ['Diagnostics and async context', [/^diagnostics-channel\//, /^als/, /^async_hooks/]],
  ['Module shape and types', [/^esm\//, /^imports/, /^internals\/all/, /^type-provider/]],
  ['Logging', [/logg/, /pino/, /^genReqId/, /^request-id/]],
  ['Not found', [/^404/]],
  [
    'Request',
    [/^custom-querystring/, /^trust-proxy/, /^same-shape/, /^inject/, /^request-header/, /handle-request/],
  ],
  [
    'Bodies and media types',
    [/parser/, /^content-/, /media-type/, /^body-limit/, /poisoning/, /^post-empty/],
  ],
  ['Serialization', [/serializ/, /^output-validation/]],
  ['Validation and schemas', [/validat/, /schema/, /coercion/, /^fix-6411/]],
  ['Errors', [/error/, /^500s/, /^throw/]],
  ['Hooks', [/hooks/, /^issue-4959/]],
  ['Plugins and decorators', [/plugin/, /decorator/, /^register/, /^middleware/, /^chainable/]],
  [
    'Life cycle of the server',
    [/listen/, /close/, /server/, /timeout/, /dispose/, /^max-req/, /^upgrade/, /overflow/],
  ],
  ['Options of the instance', [/^fastify-instance/, /initial-config/, /^options\.test/]],
  ['Streams and web payloads', [/stream/, /^web-api/, /^buffer/]],
  ['Reply', [/reply/]],
  ['Handlers and their context', [/context/, /^async-await/, /^promises/, /^sync-/]],
  [
    'Routing',
    [/rout/, /^http-methods\//, /^(?:delete|patch|put)\./, /constrained/, /^versioned/, /^pretty-print/],
  ],
  ['Routing', [/^url-/, /^case-/, /^use-semicolon/, /regex/, /^rfc-10008/]],
];

const elsewhere = 'Other';

/** Every area in the order of the report. */
export const areaNames = [...new Set(areas.map(([name]) => name)), elsewhere];

/** The area of a test file, whose path starts with `test/`. */
export function areaOf(file) {
  const path = file.replace(/^test\//, '');
  return areas.find(([, patterns]) => patterns.some((pattern) => pattern.test(path)))?.[0] ?? elsewhere;
}
