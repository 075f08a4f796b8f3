// Creates the folder in which the suite runs: a copy of the installed fastify, and the packages that its tests load.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { npm, runStep } from '../steps.mjs';

const installed = 'node_modules/fastify';
const pinned = 'scripts/conformance';
const scratch = '.cache/conformance';
const stampFile = `${scratch}/stamp`;

/** The folder of the suite. It is created again if fastify, the pinned packages or the major version of Node has changed. */
export function prepareSuite() {
  const suite = `${scratch}/fastify`;
  const stamp = describeSuite();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return suite;
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(suite, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) cpSync(`${pinned}/${name}`, `${suite}/${name}`);
  const install = [
    'ci',
    '--prefix',
    suite,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  if (!runStep('packages of the suite', () => npm(install))) {
    throw new Error(`npm could not install the packages of ${pinned}/package.json`);
  }
  // Comes last, because it writes its own package.json, which some tests read.
  cpSync(installed, suite, { recursive: true, dereference: true });
  writeFileSync(stampFile, stamp);
  return suite;
}

/** The version of fastify whose tests run. */
export function suiteVersion() {
  return JSON.parse(readFileSync(`${installed}/package.json`, 'utf8')).version;
}

function describeSuite() {
  const lockHash = createHash('sha256')
    .update(readFileSync(`${pinned}/package-lock.json`))
    .digest('hex');
  const [major] = process.versions.node.split('.');
  return `fastify-${suiteVersion()} ${lockHash} node-${major} ${process.platform}-${process.arch}\n`;
}
