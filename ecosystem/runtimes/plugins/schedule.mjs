import { ok } from 'node:assert/strict';
import { fastifySchedule } from '@fastify/schedule';
import { AsyncTask, SimpleIntervalJob } from 'toad-scheduler';

export function setUp(app) {
  let runs = 0;
  app.register(fastifySchedule).after(() => {
    const task = new AsyncTask('count', async () => {
      runs += 1;
    });
    app.scheduler.addSimpleIntervalJob(new SimpleIntervalJob({ milliseconds: 10 }, task));
  });
  app.get('/', () => ({ runs }));
}

export async function check(ask) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  const { runs } = await (await ask('/')).json();
  ok(runs > 1, 'the job has not run');
}
