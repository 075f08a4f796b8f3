// Tests that linters accept the files for containers, and that their timeouts are consistent.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from './src/config.mjs';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const read = (name) => readFileSync(pathOf(name), 'utf8');
const kinds = { Deployment, PodDisruptionBudget, Service };

const objects = parseAllDocuments(read('kubernetes/notes.yaml')).map((document) => document.toJS());
const [deployment, service, budget] = objects;
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
/** Values for the secrets in the environment of a container. */
const secrets = {
  DATABASE_URL: 'postgres://notes@postgres/notes',
  REDIS_URL: 'redis://redis',
  SESSION_SECRET: 'x'.repeat(32),
};
const valuesOf = (env) =>
  Object.fromEntries(env.filter(({ value }) => value).map(({ name, value }) => [name, value]));
/** How long hooks may run after the deadline: see docs/guide/stopping.md. */
const hooksMs = 5_000;

test('the Dockerfile has no findings', () => {
  expect(validate(read('Dockerfile'))).toEqual([]);
});

test('the file for Compose has no findings', () => {
  const [{ messages = [] } = {}] = new DCLinter({
    rules: {},
    quiet: false,
    debug: false,
    exclude: [],
  }).lintFiles([pathOf('compose.yaml')], false);
  expect(messages).toEqual([]);
});

test.each(objects)('the schema of Kubernetes accepts the $kind', (object) => {
  expect(() => new kinds[object.kind](object).validate()).not.toThrow();
});

test('the schema of Kubernetes does not accept a value of another type', () => {
  const wrong = structuredClone(deployment);
  wrong.spec.template.spec.containers[0].lifecycle.preStop.sleep.seconds = '5 s';
  expect(() => new Deployment(wrong).validate()).toThrow('preStop/sleep/seconds must be integer');
});

test('the service and the budget select the pods, and the port has the name that they use', () => {
  const { labels } = deployment.spec.template.metadata;
  expect(deployment.spec.selector.matchLabels).toEqual(labels);
  expect(service.spec.selector).toEqual(labels);
  expect(budget.spec.selector.matchLabels).toEqual(labels);
  expect(budget.spec.minAvailable).toBeLessThan(deployment.spec.replicas);
  const [{ name, containerPort }] = container.ports;
  expect(service.spec.ports[0].targetPort).toBe(name);
  expect(read('Dockerfile')).toContain(`EXPOSE ${containerPort}\n`);
});

test('only the readiness probe uses /readyz; the startup and liveness probes use /livez', () => {
  const paths = ['startupProbe', 'readinessProbe', 'livenessProbe'].map(
    (name) => container[name].httpGet.path,
  );
  expect(paths).toEqual(['/livez', '/readyz', '/livez']);
});

test('Kubernetes waits until a replica has shut down gracefully', () => {
  const { delayMs, graceMs } = readConfig({ ...valuesOf(container.env), ...secrets });
  const preStopMs = container.lifecycle.preStop.sleep.seconds * 1000;
  expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(preStopMs + delayMs + graceMs + hooksMs);
});

test('Compose waits until a replica has shut down gracefully', () => {
  const { services } = parse(read('compose.yaml'), { merge: true });
  for (const name of ['notes-1', 'notes-2', 'notes-3']) {
    const { environment, stop_grace_period: period } = services[name];
    const { delayMs, graceMs } = readConfig({ ...environment, ...secrets });
    expect(Number.parseInt(period, 10) * 1000).toBeGreaterThan(delayMs + graceMs + hooksMs);
  }
});

test('the container has only the privileges that it needs, and resource limits', () => {
  expect(pod.securityContext).toMatchObject({
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  for (const kind of ['requests', 'limits'])
    expect(Object.keys(container.resources[kind])).toEqual(['cpu', 'memory']);
});

test('the files contain no secrets, but references to them', () => {
  const references = container.env.filter(({ valueFrom }) => valueFrom?.secretKeyRef).map(({ name }) => name);
  expect(references).toEqual(Object.keys(secrets));
  const { environment } = parse(read('compose.yaml'), { merge: true })['x-notes'];
  expect(environment.DATABASE_URL).toContain('${POSTGRES_PASSWORD:?');
  expect(environment.SESSION_SECRET).toMatch(/^\$\{SESSION_SECRET:\?/);
});
