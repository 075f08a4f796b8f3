// Makes the folder the suite runs in: a copy of the installed fastify, with the packages its tests load inside it.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { npm, runStep } from '../steps.mjs';

const installed = 'node_modules/fastify';
const pinned = 'scripts/conformance';
const scratch = '.cache/conformance';
const stampFile = `${scratch}/stamp`;

/** Folder of the suite, made anew when fastify, the pinned packages or the Node major changed. */
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
  // Last, since it brings a package.json of its own, which some tests read.
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
