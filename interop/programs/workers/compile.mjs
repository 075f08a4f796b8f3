import { writeFileSync } from 'node:fs';
import { ambit, compileSchemas } from 'ambit';
import { makeApp } from './notes.mjs';

writeFileSync(new URL('compiled.mjs', import.meta.url), await compileSchemas(makeApp(ambit)));
