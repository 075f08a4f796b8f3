// Writes the artifact for the case `distinct`, and prints whether this build of Ambit can do this.
import { mkdirSync, writeFileSync } from 'node:fs';
import * as framework from 'ambit';
import { artifactFile } from './artifact-file.mjs';
import { declareRoutes, makeRoutes } from './routes.mjs';

const { ambit, compileSchemas } = framework;

async function writeArtifact() {
  const app = ambit();
  declareRoutes(app, makeRoutes(1_000, true));
  const source = await compileSchemas(app);
  mkdirSync(new URL('.', artifactFile), { recursive: true });
  writeFileSync(artifactFile, source);
  await app.close();
}

const isPossible = compileSchemas !== undefined;
if (isPossible) await writeArtifact();
process.stdout.write(`${isPossible}\n`);
