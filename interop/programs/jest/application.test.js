const { expect, jest: runner, test } = require('@jest/globals');
const { listCases } = require('../cases.cjs');
const flavors = require('../flavors.cjs');

for (const [title, check] of listCases(flavors)) test(title, check);

test('a mock of a module of ours is what the module under test finds', () => {
  runner.isolateModules(() => {
    runner.doMock('ambit', () => ({ ambit: () => 'mocked', errors: {} }));
    expect(require('fastify')()).toBe('mocked');
  });
});
