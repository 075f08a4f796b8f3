// The program that serves the application with `listen`, and prints its port: `serve.mjs <compiled schemas>`.
import { makeApp } from './make-app.mjs';

const app = makeApp(await import(process.argv[2]));
const address = await app.listen({ port: 0, host: '127.0.0.1' });
console.log(new URL(address).port);
