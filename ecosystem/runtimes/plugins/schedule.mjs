import { equal } from 'node:assert/strict';
import { fastifySchedule } from '@fastify/schedule';
import { AsyncTask, SimpleIntervalJob } from 'toad-scheduler';

export function setUp(app) {
  let run;
  const hasRun = new Promise((resolve) => {
    run = resolve;
  });
  app.register(fastifySchedule);
  app.get('/', async () => {
    const task = new AsyncTask('say so', async () => run('ran'));
    app.scheduler.addSimpleIntervalJob(new SimpleIntervalJob({ milliseconds: 1 }, task));
    return hasRun;
  });
}

export async function check(ask) {
  equal(await (await ask('/')).text(), 'ran');
}
