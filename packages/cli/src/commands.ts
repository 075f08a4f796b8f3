/** The list of commands, in the order of the help. Their code is loaded when one runs. */
import type { CommandDefinition, OptionDefinition } from './command.ts';

const json: OptionDefinition = { type: 'boolean', description: 'Print JSON' };

const port: OptionDefinition = {
  type: 'string',
  short: 'p',
  value: 'PORT',
  description: 'The port; 0 for a free one. Default $PORT, else 3000',
};
const host: OptionDefinition = {
  type: 'string',
  value: 'HOST',
  description: 'The address or host name to listen on. Default $HOST, else localhost',
};
const check: OptionDefinition = {
  type: 'boolean',
  description: 'Write nothing; exit with 1 if the file differs from the application',
};
const output = (description: string): OptionDefinition => ({
  type: 'string',
  short: 'o',
  value: 'FILE',
  description,
});
const jsonLines: OptionDefinition = { type: 'boolean', description: 'Print events as lines of JSON' };

export const commands: readonly CommandDefinition[] = [
  {
    name: 'dev',
    summary: 'Serves an application, and restarts it when a file changes',
    usage: '[options] [app]',
    maxArguments: 1,
    options: { port, host, json: jsonLines },
    notes: [
      'The old version serves until the new one has booted. Logs are written for people, and requests are shown',
      'also if the application has no logger. NODE_ENV is development, unless it is set.',
    ],
    load: () => import('./commands/dev.ts'),
  },
  {
    name: 'start',
    summary: 'Serves an application in production',
    usage: '[options] [app]',
    maxArguments: 1,
    options: {
      port,
      host,
      workers: {
        type: 'string',
        short: 'w',
        value: 'N',
        description: 'Serve with N processes, or auto: one for each processor. Default: this process alone',
      },
      deadline: {
        type: 'string',
        value: 'SECONDS',
        description: 'Longest time for stopping, then connections are cut off. Default 10',
      },
      delay: {
        type: 'string',
        value: 'SECONDS',
        description:
          'After SIGTERM, serve for this long before stopping, until load balancers notice. Default 0',
      },
      'worker-timeout': {
        type: 'string',
        value: 'SECONDS',
        description: 'Replace a worker that does not respond for this long. Default 30',
      },
      json: jsonLines,
    },
    notes: [
      'SIGTERM and SIGINT stop in order, a second one at once. With workers, SIGHUP replaces them one by one, and',
      'SIGUSR2 prints the health of each. NODE_ENV is production, unless it is set.',
    ],
    load: () => import('./commands/start.ts'),
  },
  {
    name: 'routes',
    summary: 'Shows the routes of an application as a tree, with their hooks',
    usage: '[options] [app] [-- command]',
    maxArguments: 1,
    takesCommand: true,
    options: {
      all: {
        type: 'boolean',
        description: 'Also the routes of Ambit: HEAD, probes, documentation, inspector',
      },
      unused: { type: 'boolean', description: 'List the routes that the last test run has not requested' },
      check: { type: 'boolean', description: 'With --unused: exit with 1 if there is one' },
      json,
    },
    notes: [
      'A command after -- runs the tests first, and writes down which routes they request:',
      '',
      '  ambit routes --unused -- npm test',
    ],
    load: () => import('./commands/routes.ts'),
  },
  {
    name: 'request',
    summary: 'Sends a request to an application without opening a port',
    usage: '[options] [METHOD] <path> [app]',
    maxArguments: 3,
    options: {
      data: {
        type: 'string',
        short: 'd',
        value: 'DATA',
        description: 'The body; @file reads a file, @- reads standard input',
      },
      header: {
        type: 'string',
        short: 'H',
        multiple: true,
        value: "'NAME: VALUE'",
        description: 'A header; may be given several times',
      },
      include: { type: 'boolean', short: 'i', description: 'Print the status and the headers, too' },
      fail: { type: 'boolean', short: 'f', description: 'Exit with 22 if the status is 400 or above' },
      json: { type: 'boolean', description: 'Print status, headers and body as one JSON object' },
    },
    notes: [
      'Without METHOD it is GET, or POST with --data. Without a header content-type, a body that is JSON is sent as',
      'application/json, any other as text/plain.',
      '',
      '  ambit request /notes',
      '  ambit request POST /notes -d \'{"text":"milk"}\' -H "authorization: Bearer $TOKEN" src/app.ts',
    ],
    load: () => import('./commands/request.ts'),
  },
  {
    name: 'inspect',
    summary: 'Opens the inspector of an application in a browser',
    usage: '[options] [app]',
    maxArguments: 1,
    options: {
      port: { ...port, description: 'The port. Default: a free one' },
      'no-open': { type: 'boolean', description: 'Only print the address' },
      json: { type: 'boolean', description: 'Print the model of the application as JSON, and serve nothing' },
    },
    load: () => import('./commands/inspect.ts'),
  },
  {
    name: 'types',
    summary: 'Writes the types of the routes for a typed client in another repository',
    usage: '[options] [app]',
    maxArguments: 1,
    options: {
      output: output('The file; - writes to standard output. Default app-routes.d.ts'),
      check,
      json,
    },
    notes: [
      "The file imports nothing. With it, `client<App>('https://example.com')` of ambit/client knows the routes.",
    ],
    load: () => import('./commands/types.ts'),
  },
  {
    name: 'openapi',
    summary: 'Writes the OpenAPI document of an application to a file',
    usage: '[options] [app]',
    maxArguments: 1,
    options: {
      output: output(
        'The file; .yaml or .yml writes YAML, - writes to standard output. Default openapi.json',
      ),
      check,
      json,
    },
    load: () => import('./commands/openapi.ts'),
  },
  {
    name: 'compile',
    summary: 'Compiles the schemas of an application to a module, for production',
    usage: '[options] [app]',
    maxArguments: 1,
    options: {
      output: output('The module. Default compiled-schemas.js in the folder of the application'),
      json,
    },
    load: () => import('./commands/compile.ts'),
  },
];
