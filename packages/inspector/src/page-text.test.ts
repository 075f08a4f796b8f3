/** What the page makes of names, files, failures and statuses, without a browser. */
import { expect, test } from 'vitest';
// @ts-expect-error: the modules of the page are JavaScript, without declarations.
import { schemaFor } from '../page/answer-view.js';
// @ts-expect-error: as above.
import { layOut } from '../page/code-layout.js';
// @ts-expect-error: as above.
import { constraintText, editorUrl, functionLabel } from '../page/format.js';
// @ts-expect-error: as above.
import { constraintsOf, typeText } from '../page/schema-tree.js';
// @ts-expect-error: as above.
import { requirementsOf } from '../page/try-auth.js';
// @ts-expect-error: as above.
import { readFailures } from '../page/try-form.js';

test('a function is called by its name, or by its line', () => {
  expect(functionLabel('readNote', '/app/a.js:1:2', '/app')).toBe('readNote');
  expect(functionLabel(null, '/app/src/a.js:1:2', '/app')).toBe('src/a.js:1');
  expect(functionLabel(null, '/application/a.js:1:2', '/app')).toBe('/application/a.js:1');
  expect(functionLabel(null, 'C:\\app\\a.js:1:2', 'C:\\app')).toBe('a.js:1');
  expect(functionLabel(null, null, '/app')).toBe('a function without a name');
});

test('the address of a line opens the editor, and nothing in a name ends it', () => {
  expect(editorUrl('/app/a.js:12:5')).toBe('vscode://file/app/a.js:12:5');
  expect(editorUrl('C:\\app\\a b.js:12:5')).toBe('vscode://file/C:/app/a%20b.js:12:5');
  expect(editorUrl('/a?b#c/"<.js:1:1')).toBe('vscode://file/a%3Fb%23c/%22%3C.js:1:1');
  expect(editorUrl('/\ud800.js:1:1')).toBe('vscode://file/%EF%BF%BD.js:1:1');
  for (const none of ['node:fs:1:2', 'javascript:alert(1)', 'native'])
    expect(editorUrl(none)).toBe(undefined);
});

test('constraints are read as text', () => {
  expect(constraintText('{"version":"1.2.0","host":"a.example"}')).toBe('version 1.2.0, host a.example');
});

test('the failures of an answer have their parts and places', () => {
  const message =
    "body should have required property 'title', body/a~1b/0 should be >= 1, querystring/page should be integer, headers should be object";
  expect(readFailures({ statusCode: 400, message })).toEqual([
    { part: 'body', path: '/title', message: "should have required property 'title'" },
    { part: 'body', path: '/a~1b/0', message: 'should be >= 1' },
    { part: 'query', path: '/page', message: 'should be integer' },
    { part: 'headers', path: '', message: 'should be object' },
  ]);
  const errors = [{ detail: 'should be >= 1', pointer: '#/amount', part: 'body' }, { detail: 'other' }];
  expect(readFailures({ errors })).toEqual([{ part: 'body', path: '/amount', message: 'should be >= 1' }]);
  for (const none of [null, undefined, 'text', {}, { message: 'not found' }, { message: '__proto__ x' }])
    expect(readFailures(none)).toEqual([]);
});

test('the schema of an answer is that of its status, of its class, or the default one', () => {
  const schema = (status: string, contentType: string | null = null) => ({
    part: 'response',
    status,
    contentType,
  });
  const all = [schema('default'), schema('2XX'), schema('200', 'text/csv'), schema('200'), { part: 'body' }];
  expect(schemaFor(all, 200, 'text/csv; charset=utf-8')).toBe(all[2]);
  expect(schemaFor(all, 200, 'application/json')).toBe(all[3]);
  expect(schemaFor(all, 201, '')).toBe(all[1]);
  expect(schemaFor(all, 404, '')).toBe(all[0]);
  expect(schemaFor([schema('200')], 404, '')).toBe(undefined);
});

test('a schema is read as types and limits', () => {
  for (const [schema, type, limits] of [
    [{ type: 'string', minLength: 1, maxLength: 40 }, 'string', '1 to 40 characters'],
    [{ type: 'integer', minimum: 1 }, 'integer', '>= 1'],
    [{ type: ['string', 'null'], format: 'date' }, 'date or null', ''],
    [{ type: 'array', items: { type: 'integer' }, maxItems: 1 }, 'array of integer', 'at most 1 item'],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'string or integer', ''],
    [{ type: 'object', properties: {}, additionalProperties: false }, 'object', 'no other properties'],
    [{ $ref: '#' }, 'the whole schema again', ''],
    [{}, '', ''],
  ] as const)
    expect([typeText(schema), constraintsOf(schema).join(', ')]).toEqual([type, limits]);
});

test('the requirements of a route are those of its path in the document, whatever its parameters are called', () => {
  const token = { type: 'http', scheme: 'bearer' };
  const document = {
    security: [{ general: [] }],
    paths: {
      '/orders/{id}': { get: { security: [{ token: [] }, {}] } },
      '/orders/{id}/{part}': { get: {} },
      '/open': { get: { security: [] } },
    },
    components: { securitySchemes: { token, general: token } },
  };
  const of = (url: string, method = 'GET') =>
    requirementsOf([{}, document], { url }, method).map((schemes: { name: string }[]) =>
      schemes.map(({ name }) => name),
    );
  expect(of('/orders/:number(^\\d+$)')).toEqual([['token'], []]);
  expect(of('/orders/:number/:part?')).toEqual([['general']]);
  expect(of('/open')).toEqual([]);
  expect(of('/orders/:id', 'POST')).toEqual([]);
  expect(of('/nowhere')).toEqual([]);
});

test('generated code has a line for each statement', () => {
  const long = `${' '.repeat(300)}`;
  expect(layOut(`function f(a, {b=1}={}){if(a){return [{c:1}];}else{return 2}}${long}`)).toBe(`function f(a, {
  b=1
}={}){
  if(a){
    return [{
      c:1
    }];
  } else{
    return 2
  }
}`);
});
