// Tests that each file of the suite belongs to the area in which a reader expects it.
import { expect, test } from 'vitest';
import { areaNames, areaOf } from './areas.mjs';

for (const [file, area] of [
  ['test/http2/closing.test.js', 'HTTP/2 and HTTPS'],
  ['test/diagnostics-channel/404.test.js', 'Diagnostics and async context'],
  ['test/404s.test.js', 'Not found'],
  ['test/custom-parser-async.test.js', 'Bodies and media types'],
  ['test/custom-querystring-parser.test.js', 'Request'],
  ['test/schema-serialization.test.js', 'Serialization'],
  ['test/schema-validation.test.js', 'Validation and schemas'],
  ['test/reply-error.test.js', 'Errors'],
  ['test/reply-trailers.test.js', 'Reply'],
  ['test/hooks.on-listen.test.js', 'Hooks'],
  ['test/listen.1.test.js', 'Life cycle of the server'],
  ['test/route.4.test.js', 'Routing'],
  ['test/http-methods/copy.test.js', 'Routing'],
  ['test/a-matter-of-its-own.test.js', 'Other'],
]) {
  test(`${file} is about ${area}`, () => {
    expect(areaOf(file)).toBe(area);
  });
}

test('each area is named once', () => {
  expect(new Set(areaNames).size).toBe(areaNames.length);
});
