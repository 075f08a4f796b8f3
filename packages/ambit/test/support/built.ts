/** What a build writes of an application, as a process loads it: on no disk. */
import { type Context, compileSchemas } from 'ambit';

export async function compileAhead(app: Context): Promise<object> {
  const text = await compileSchemas(app);
  await app.close();
  return import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
}
