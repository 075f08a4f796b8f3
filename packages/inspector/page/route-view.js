// One route: its steps with the reason for each, its schemas with their code, and a form to try it.
import { empty, fill, h, section } from './dom.js';
import { fileLabel, method, pattern } from './format.js';
import { codeView, jsonView } from './json-view.js';
import { tryForm } from './try-form.js';

const paths = [
  ['request', 'Request', 'From the router to the handler.'],
  ['reply', 'Reply', 'From a payload to the wire. Text, buffers and streams skip what comes before onSend.'],
  ['failure', 'If it fails', 'From an error to the wire. An error handler ends it by sending a reply.'],
  ['onResponse', 'When the response has ended', ''],
  ['onTimeout', 'When the socket times out', ''],
  ['onRequestAbort', 'When the client leaves', ''],
];

/** What the framework's own steps do. */
const ownWork = {
  readBody: 'reads and parses the body',
  validate: 'validates the parts that have a schema',
  serialize: 'turns the payload into text, by the response schema of the status',
  write: 'writes the response',
  errorHandler: 'the default error handler',
  defaultErrorReply: 'replies with the status and message of the error',
  lastErrorReply: 'replies if the error reply fails as well',
  onSend: 'replies to HEAD with the length, without content',
  handler: '',
};

export function routeView(model, load) {
  const element = h('div.view.route');
  let current = -1;

  async function show(id) {
    current = Number(id);
    const route = model.routes[current];
    if (route === undefined) {
      fill(element, empty('There is no such route.', 'The application may have been restarted.'));
      return;
    }
    const schemas = h('div', {}, h('p.quiet', {}, 'loading …'));
    fill(element, head(route), columns(route, schemas));
    const details = await load(`route.json?id=${current}`);
    if (Number(id) === current) fill(schemas, schemaSections(details));
  }

  function head(route) {
    const context = model.contexts[route.context];
    return h(
      'div.view-head',
      {},
      h('h1.route-title', {}, route.methods.map(method), pattern(route.url)),
      h(
        'p.lead',
        {},
        h('span.handler', {}, route.handler),
        ' in ',
        h('a', { href: `#/context/${context.id}` }, context.path),
        route.isAutomatic && h('span.tag', {}, 'added for the GET route'),
        route.constraints && h('span.tag', {}, route.constraints),
        fileLabel(route.file, model.folder),
      ),
    );
  }

  function columns(route, schemas) {
    const steps = model.stepsOf(route);
    return h(
      'div.route-columns',
      {},
      h(
        'div',
        {},
        paths.flatMap(([path, title, text]) => {
          const found = steps.filter((step) => step.path === path);
          return found.length === 0 ? [] : [stepSection(route, title, text, found)];
        }),
      ),
      h('div', {}, section('Try it', tryForm(route, load)), schemas),
    );
  }

  function stepSection(route, title, text, steps) {
    return section(
      title,
      text && h('p.quiet', {}, text),
      h(
        'ol.steps',
        {},
        steps.map((step) =>
          h(
            `li.step.from-${step.from}`,
            {},
            h('span.step-name', {}, step.name),
            h(
              'span.step-function',
              {},
              (step.from === 'framework' ? ownWork[step.name] : step.function) ?? '',
            ),
            h('span.why', {}, why(route, step)),
            fileLabel(step.file, model.folder),
          ),
        ),
      ),
    );
  }

  /** The answer to "why does this run here?". */
  function why(route, { from, context, plugin }) {
    if (from === 'framework') return 'the framework’s own';
    const by = plugin === null ? 'the application' : model.plugins[plugin].name;
    if (from === 'route') return 'declared with the route';
    if (from === 'onRoute') {
      const owners = model
        .visible(route.context)
        .filter(({ definition }) => definition.kind === 'hook' && definition.name === 'onRoute')
        .map(({ definition }) =>
          definition.plugin === null ? 'the application' : model.plugins[definition.plugin].name,
        );
      return `added to the route by an onRoute hook of ${[...new Set(owners)].join(' or ') || by}`;
    }
    const owner = model.contexts[context];
    const link = h('a', { href: `#/context/${owner.id}` }, owner.name);
    const added = by === owner.name ? 'added by ' : `${by} added it to `;
    return owner.id === route.context ? [added, link] : [added, link, ', and this context inherits it'];
  }

  function schemaSections({ schemas, changes, shared }) {
    const found = schemas.map((schema) => schemaSection(schema, changes));
    const names = Object.keys(shared);
    return section(
      'Schemas',
      found.length === 0
        ? h('p.quiet', {}, 'It declares none: nothing is validated, and payloads are written as JSON.')
        : found,
      names.length > 0 &&
        h(
          'details.fold-out',
          {},
          h('summary', {}, `Shared schemas that it sees: ${names.length}`),
          jsonView(shared, 'Shared schemas'),
        ),
    );
  }

  function schemaSection({ part, status, contentType, declared, resolved, code }, changes) {
    const name = [part, status, contentType].filter(Boolean).join(' ');
    const own =
      part === 'response'
        ? changes.filter((change) => change.status?.toLowerCase() === status.toLowerCase())
        : [];
    const isSame = JSON.stringify(declared) === JSON.stringify(resolved);
    return h(
      'article.schema',
      {},
      h('h3', {}, h('span.dot.kind-schema', { 'aria-hidden': 'true' }), name),
      own.length > 0 && changeList(own),
      h(
        'details.fold-out',
        { open: true },
        h('summary', {}, isSame ? 'declared, and compiled as it is' : 'declared'),
        jsonView(declared, `${name}, declared`),
      ),
      !isSame &&
        h('details.fold-out', {}, h('summary', {}, 'resolved'), jsonView(resolved, `${name}, resolved`)),
      code === null
        ? h(
            'p.quiet',
            {},
            part === 'response' ? 'Another library writes it.' : 'Another library validates it.',
          )
        : h(
            'details.fold-out',
            {},
            h('summary', {}, part === 'response' ? 'code that writes it' : 'code that validates it'),
            codeView(code, `${name}, code`),
          ),
    );
  }

  function changeList(changes) {
    return h(
      'ul.changes',
      { 'aria-label': 'What the serializer changed so far' },
      changes.map(({ kind, path, message }) =>
        h(
          'li',
          {},
          h(`span.tag.change-${kind}`, {}, kind),
          h('code', {}, path || 'the whole value'),
          h('span', {}, message),
        ),
      ),
    );
  }

  return { element, show };
}
