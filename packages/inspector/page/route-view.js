// Shows one route: its steps with the reason for each, its schemas with their code, and a form that sends a request.
import { empty, fill, h, section } from './dom.js';
import { constraintText, fileLabel, functionLabel, method, pattern } from './format.js';
import { schemaSections } from './schemas-view.js';
import { readDocuments, requirementsOf, requirementText } from './try-auth.js';
import { tryForm } from './try-form.js';

/** @import { RouteModel, StepModel } from '@ambit/inspector' */
/** @import { Model } from './model.js' */
/** @import { Requirement } from './try-auth.js' */

/** How long the form waits for the OpenAPI documents, so that it need not change. */
const patienceMs = 200;

/** @type {readonly (readonly [path: StepModel['path'], title: string, text: string])[]} */
const paths = [
  ['request', 'Request', 'From the router to the handler.'],
  ['reply', 'Reply', 'From a payload to the wire. Text, buffers and streams skip what comes before onSend.'],
  ['failure', 'If it fails', 'From an error to the wire. An error handler ends it by sending a reply.'],
  ['onResponse', 'When the response has ended', ''],
  ['onTimeout', 'When the socket times out', ''],
  ['onRequestAbort', 'When the client leaves', ''],
];

/** What the framework's own steps do. */
const ownWork = new Map([
  ['readBody', 'reads and parses the body'],
  ['validate', 'validates the parts that have a schema'],
  ['serialize', 'turns the payload into text, by the response schema of the status'],
  ['write', 'writes the response'],
  ['errorHandler', 'the default error handler'],
  ['defaultErrorReply', 'replies with the status and message of the error'],
  ['lastErrorReply', 'replies if the error reply fails as well'],
  ['onSend', 'replies to HEAD with the length, without content'],
]);

/**
 * @param {Model} model
 * @param {(name: string) => Promise<any>} load
 */
export function routeView(model, load) {
  const element = h('div.view.route');
  let current = -1;
  let scrollTop = 0;
  /** Ends the requests of the form of the route that is shown. */
  let leaving = new AbortController();
  element.addEventListener('scroll', () => {
    scrollTop = element.scrollTop;
  });

  async function show(/** @type {string} */ id = '') {
    if (Number(id) === current) {
      // The user comes back to the form and its answer. Browsers forget how far a detached element was scrolled.
      element.scrollTop = scrollTop;
      return;
    }
    leaving.abort();
    leaving = new AbortController();
    const { signal } = leaving;
    current = Number(id);
    const route = model.routes[current];
    if (route === undefined) {
      fill(element, empty('There is no such route.', 'The application may have changed since.'));
      return;
    }
    const details = h('div.route-details', {}, section('Try it', h('p.quiet', {}, 'loading …')));
    const guards = h('span.guards');
    fill(element, head(model, route, guards), columns(model, route, details));
    element.scrollTop = 0;
    try {
      const reading = readDocuments(model);
      const inspection = await load(`route.json?id=${current}`);
      // A document of many routes takes a while when it is first read. The form does not wait for it.
      const early = await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, patienceMs))]);
      if (signal.aborted) return;
      const form = tryForm({ route, inspection, load, signal });
      const showRequirements = (/** @type {readonly any[]} */ documents) => {
        form.setDocuments(documents);
        fill(guards, guardList(requirementsOf(documents, route, route.methods[0] ?? '')));
      };
      if (early !== undefined) showRequirements(early);
      else reading.then(showRequirements);
      fill(details, section('Try it', form.element), schemaSections(inspection));
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      fill(details, h('p.is-error', {}, `The schemas could not be read: ${text}`));
    }
  }

  return { element, show };
}

/** What the document says that a client has to send. */
function guardList(/** @type {readonly Requirement[]} */ choices) {
  if (choices.length === 0) return null;
  const texts = choices.map((schemes) => h('span.tag.is-guard', {}, requirementText(schemes)));
  return ['requires ', texts.flatMap((text, i) => (i === 0 ? [text] : [' or ', text]))];
}

function head(
  /** @type {Model} */ model,
  /** @type {RouteModel} */ route,
  /** @type {HTMLElement} */ guards,
) {
  const context = model.context(route.context);
  return h(
    'div.view-head',
    {},
    h('h1.route-title', {}, route.methods.map(method), pattern(route.url)),
    h(
      'p.lead',
      {},
      route.handler !== null && [h('span.handler', {}, route.handler), ' '],
      'in ',
      h('a', { href: `#/context/${context.id}` }, context.path),
      route.isAutomatic && h('span.tag', {}, 'added for the GET route'),
      route.constraints && h('span.tag', {}, constraintText(route.constraints)),
      fileLabel(route.file, model.folder),
      guards,
    ),
  );
}

function columns(
  /** @type {Model} */ model,
  /** @type {RouteModel} */ route,
  /** @type {HTMLElement} */ details,
) {
  const steps = model.listed(model.stepsOf(route));
  const sections = paths.flatMap(([path, title, text]) => {
    const pathSteps = steps.filter((step) => step.path === path);
    // The framework's own replies to errors say nothing about the route.
    if (path === 'failure' && pathSteps.every(({ from }) => from === 'framework') && !model.showsOwn)
      return [section(title, h('p.quiet', {}, 'The default error handler replies.'))];
    const list = pathSteps.map((step) => stepRow(model, route, step));
    return pathSteps.length === 0
      ? []
      : [section(title, text && h('p.quiet', {}, text), h('ol.steps', {}, list))];
  });
  return h('div.route-columns', {}, h('div.route-steps', {}, sections), details);
}

function stepRow(/** @type {Model} */ model, /** @type {RouteModel} */ route, /** @type {StepModel} */ step) {
  const isNamed = step.from !== 'framework' && step.function !== null;
  const functionText =
    step.from === 'framework'
      ? ownWork.get(step.name)
      : isNamed || step.file === null
        ? functionLabel(step.function, step.file, model.folder)
        : fileLabel(step.file, model.folder);
  return h(
    `li.step.from-${step.from}`,
    {},
    h('span.step-name', {}, step.name),
    h('span.step-function', {}, functionText ?? ''),
    h('span.why', {}, reasonOf(model, route, step)),
    isNamed && fileLabel(step.file, model.folder),
  );
}

/** The reason why a step runs for the route. */
function reasonOf(
  /** @type {Model} */ model,
  /** @type {RouteModel} */ route,
  /** @type {StepModel} */ { from, context, plugin, file },
) {
  if (from === 'framework') return 'the framework’s own';
  if (from === 'route') return 'declared with the route';
  const by = plugin === null ? 'the application' : model.plugins[plugin]?.name;
  if (from === 'onRoute' && file === null) return 'added to the route by an onRoute hook';
  if (from === 'onRoute') return `added to the route by an onRoute hook of ${by}`;
  const owner = model.context(context ?? 0);
  const link = h('a', { href: `#/context/${owner.id}` }, owner.name);
  const added = by === owner.name ? 'added by ' : `${by} added it to `;
  return owner.id === route.context ? [added, link] : [added, link, ', and this context inherits it'];
}
