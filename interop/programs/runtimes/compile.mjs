// Compiles the schemas of the application, which workers cannot: `node compile.mjs ambit`.
import { writeFileSync } from 'node:fs';
import { compileSchemas } from 'ambit';
import app from './app.mjs';

const [flavor] = process.argv.slice(2);
writeFileSync(new URL(`compiled-${flavor}.mjs`, import.meta.url), await compileSchemas(app));
await app.close();
