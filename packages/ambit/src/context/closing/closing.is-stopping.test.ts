import { ambit, drain, isStopping } from 'ambit';
import { expect, test } from 'vitest';
import { flavors } from '../../../test/support/flavors.ts';

for (const [flavor, make] of flavors) {
  test(`${flavor}: an application is stopping from the call of close on`, async () => {
    const app = make();
    await app.ready();
    expect(isStopping(app)).toBe(false);
    const closed = app.close();
    expect(isStopping(app)).toBe(true);
    await closed;
    expect(isStopping(app)).toBe(true);
  });

  test(`${flavor}: an application is stopping from the call of drain on, as each of its contexts tells`, async () => {
    const app = make();
    const seen: boolean[] = [];
    app.register(async (child) => {
      child.get('/', () => seen.push(isStopping(child as never)));
    });
    await app.inject('/');
    const drained = drain(app);
    await app.inject('/');
    await drained;
    await app.close();
    expect(seen).toEqual([false, true]);
  });
}

test('two applications stop independently', async () => {
  const [one, other] = [ambit(), ambit()];
  await one.close();
  expect([isStopping(one), isStopping(other)]).toEqual([true, false]);
});
