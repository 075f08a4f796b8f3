// Tests which block the packaging check uses as the README's first program, and how it converts it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deriveForms, readFirstProgram } from './first-program.mjs';

const program = `import { ambit } from 'ambit';

const app = ambit();
await app.listen({ port: 3000 });
// curl localhost:3000/hello/ada → {"hello":"ada"}
`;

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'first-program-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(code, info = 'js first-program') {
  const page = join(folder, 'README.md');
  writeFileSync(page, `# Title\n\n\`\`\`${info}\n${code}\`\`\`\n`);
  return readFirstProgram(page);
}

test('the expected response is read from a comment in the program', () => {
  expect(read(program)).toEqual({ code: program, response: { path: '/hello/ada', body: '{"hello":"ada"}' } });
});

test('the CommonJS form requires what the program imports', () => {
  const { code } = deriveForms({ code: program }).find(({ title }) => title === 'CommonJS');
  expect(code).toContain("const { ambit } = require('ambit');");
  expect(code).not.toContain('import ');
});

for (const [what, code, info] of [
  ['a page without the block', program, 'js'],
  ['a program without its response', program.replace('// curl', '// ask'), 'js first-program'],
  ['a program on another port', program.replace('port: 3000', 'port: 8080'), 'js first-program'],
]) {
  test(`${what} throws an error that names the page`, () => {
    expect(() => read(code, info)).toThrow(/README\.md:.* needs /);
  });
}
