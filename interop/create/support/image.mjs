// Owns a substitute for Docker: runs the steps of a Dockerfile in order in an empty folder, with the Node of its image.
// What only containers have is left out: the user, the volume, and the layers.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { run } from '../../test/support/run.mjs';
import { environmentOf } from './application.mjs';

/** @returns The folder, the environment and the programs of a container; `folder` must be removed. */
export async function buildImage(context) {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-image-'));
  const image = { folder, workFolder: folder, env: {}, command: [], healthCheck: '' };
  const dockerfile = DockerfileParser.parse(readFileSync(join(context, 'Dockerfile'), 'utf8'));
  for (const instruction of dockerfile.getInstructions())
    await steps[instruction.getKeyword()](image, instruction, context);
  return image;
}

const ignored = () => {};

const steps = {
  FROM(image, instruction) {
    const [, major] = /^node:(\d+)-slim$/.exec(instruction.getImage());
    const { PATH, ...env } = environmentOf(major);
    // What a step installs globally is in the image, too.
    const prefix = join(image.folder, 'usr');
    image.env = { ...env, npm_config_prefix: prefix, PATH: `${join(prefix, 'bin')}:${PATH}` };
  },
  WORKDIR(image, instruction) {
    image.workFolder = join(image.folder, instruction.getPath());
    mkdirSync(image.workFolder, { recursive: true });
  },
  ENV(image, instruction) {
    for (const property of instruction.getProperties()) image.env[property.getName()] = property.getValue();
  },
  COPY({ workFolder }, instruction, context) {
    const given = instruction.getArguments().map((argument) => argument.getValue());
    const target = join(workFolder, given.pop());
    const isFolder = target.endsWith('/');
    for (const name of given.filter((name) => isSent(context, name)))
      cpSync(join(context, name), isFolder ? join(target, name) : target, { recursive: true });
  },
  async RUN({ workFolder, env }, instruction) {
    // The user of the image is not one of this machine.
    const script = instruction.getArgumentsContent().replace('chown node', `chown ${process.getuid()}`);
    await run(workFolder, 'sh', ['-c', script], env);
  },
  HEALTHCHECK(image, instruction) {
    image.healthCheck = instruction.getArgumentsContent().replace(/^CMD /, '');
  },
  CMD(image, instruction) {
    image.command = instruction.getJSONStrings().map((text) => JSON.parse(text.getValue()));
  },
  VOLUME: ignored,
  USER: ignored,
  EXPOSE: ignored,
};

/** Whether `.dockerignore` lets a file into the build. The last line that matches decides. */
function isSent(context, name) {
  const lines = readFileSync(join(context, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  const decisive = lines.findLast((line) => line === '*' || line.replace(/^!/, '') === name);
  return decisive?.startsWith('!') === true && readdirSync(context).includes(name);
}
