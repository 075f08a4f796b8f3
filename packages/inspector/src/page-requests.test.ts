/** What the page works out about requests: which ones a filter shows, how long their bars are, and which step was the slowest. */
import { expect, test } from 'vitest';
// @ts-expect-error: the modules of the page are JavaScript, without declarations.
import { LogScale } from '../page/log-scale.js';
// @ts-expect-error: the modules of the page are JavaScript, without declarations.
import { formatFilter, matcherOf, outcomeOf, parseFilter } from '../page/request-filter.js';
// @ts-expect-error: the modules of the page are JavaScript, without declarations.
import { shareLabel, slowestStep } from '../page/request-steps.js';

const model = {
  routes: [{ url: '/notes' }, { url: '/notes/:id' }],
};
const finished = {
  number: 1,
  method: 'GET',
  url: '/notes?page=2',
  route: 0,
  status: 200,
  id: 'req-1',
  ms: 5,
  state: 'finished',
  isStream: false,
  error: null,
  logs: [],
  steps: [],
};

const matches = (query: string, request: object = {}): boolean =>
  matcherOf(parseFilter(query), model)({ ...finished, ...request });

test('an address and a filter are the same, whatever the text has', () => {
  for (const text of ['a b', '50%&x=1', '/notes?', '#', "it's 日本 🎉"]) {
    const filter = { outcomes: ['4', 'left'], method: 'GET', route: '/notes/:id', slowerThanMs: 1.5, text };
    const query: string = formatFilter(filter);
    expect(parseFilter(query)).toEqual(filter);
    expect(query).toMatch(/^\?[^/?#]*$/);
  }
  expect(formatFilter({})).toBe('');
});

test('what an address does not say, or says wrong, filters nothing', () => {
  expect(parseFilter('?status=9&status=constructor&slow=-1&slow=x&other=1')).toEqual(parseFilter(''));
  expect(matches('')).toBe(true);
});

test('several outcomes are any of them, and everything else must be so together', () => {
  expect(matches('?status=4&status=2')).toBe(true);
  expect(matches('?status=4&status=5')).toBe(false);
  expect(matches('?status=2&method=POST')).toBe(false);
  expect(matches('?status=2&method=GET&slow=4&text=notes')).toBe(true);
});

test('slower than a time is more than it', () => {
  expect(matches('?slow=5')).toBe(false);
  expect(matches('?slow=4.999')).toBe(true);
});

test('the pattern of a route is that route, and a part of one is all that have it', () => {
  const byId = { route: 1, url: '/notes/7' };
  expect([matches('?route=/notes'), matches('?route=/notes', byId)]).toEqual([true, false]);
  expect([matches('?route=/note'), matches('?route=/note', byId)]).toEqual([true, true]);
  expect(matches('?route=/note', { route: null })).toBe(false);
});

test('a text is found in the URL, the error and its causes, and the log lines', () => {
  const request = {
    error: {
      name: 'TypeError',
      title: 'No title',
      cause: { name: 'Error', title: 'refused', code: 'ECONNREFUSED' },
    },
    logs: [{ at: 0, level: 'warn', message: 'Cache is cold', fields: '{"key":"note:42"}' }],
  };
  for (const text of ['PAGE=2 get', 'typeerror title', 'econnrefused', 'cold note:42', 'req-1 200'])
    expect([text, matches(`?text=${encodeURIComponent(text)}`, request)]).toEqual([text, true]);
  expect(matches('?text=cold+missing', request)).toBe(false);
});

for (const [outcome, request] of [
  ['2', { status: 201 }],
  ['5', { status: 503 }],
  ['running', { state: 'running', status: 0 }],
  ['running', { state: 'running', status: 200, isStream: true }],
  ['left', { state: 'left', status: 0 }],
  ['2', { state: 'left', status: 200, isStream: true }],
  ['left', { state: 'broken', status: 200, isStream: true }],
] as const)
  test(`the outcome of ${JSON.stringify(request)} is ${outcome}`, () => {
    expect(outcomeOf({ ...finished, ...request })).toBe(outcome);
  });

test('each power of ten has the same length on the scale', () => {
  const scale = new LogScale();
  const places = [0.1, 1, 10, 100, 1000].map((ms) => scale.at(ms));
  expect(places).toEqual([0, 0.25, 0.5, 0.75, 1]);
  expect([scale.at(0), scale.at(-1), scale.at(Number.NaN), scale.at(0.01), scale.at(1e9)]).toEqual([
    0, 0, 0, 0, 1,
  ]);
});

test('the scale grows by whole powers of ten, says so, and never becomes shorter', () => {
  const scale = new LogScale();
  expect([scale.include(0.1), scale.include(1000), scale.include(0)]).toEqual([false, false, false]);
  expect([scale.include(1000.1), scale.to]).toEqual([true, 4]);
  expect([scale.include(0.09), scale.from]).toEqual([true, -2]);
  expect([scale.include(5), scale.from, scale.to]).toEqual([false, -2, 4]);
  expect([scale.include(1e-9), scale.from]).toEqual([false, -2]);
  expect([scale.include(1e99), scale.to]).toEqual([true, 7]);
});

test('the scale has as many marks as fit, at whole powers of ten', () => {
  const scale = new LogScale();
  const ticks = (most: number): number[] => scale.ticks(most).map(({ ms }: { ms: number }) => ms);
  expect(ticks(5)).toEqual([0.1, 1, 10, 100, 1000]);
  expect(ticks(4)).toEqual([0.1, 10, 1000]);
  expect(ticks(2)).toEqual([0.1, 1000]);
  expect(ticks(0)).toEqual([0.1, 1000]);
});

const step = (name: string, startMs: number, ms: number): object => ({ name, startMs, ms });

test('the slowest step is one that ran before the end of the response; a stream has none', () => {
  const steps = [
    step('onRequest', 0, 1),
    step('handler', 1, 3),
    step('write', 4, 1),
    step('onResponse', 6, 90),
  ];
  const request = { ...finished, steps };
  expect(slowestStep(request)).toBe(steps[1]);
  expect(shareLabel(steps[1], request)).toBe('60 %');
  expect(shareLabel(step('handler', 0, 0.01), request)).toBe('< 1 %');
  expect(slowestStep({ ...request, isStream: true })).toBe(undefined);
  expect(slowestStep(finished)).toBe(undefined);
});
