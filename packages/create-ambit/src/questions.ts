/** Asks on a terminal for the values that the command line does not contain. */
import { select, text } from '@clack/prompts';
import { type Arguments, type Template, templates } from './arguments.ts';
import { findFault } from './folder.ts';
import { findNodeObstacle, type Runtime, runtimes } from './requirements.ts';

/** The values that are needed to create an application. */
export interface Choice {
  folder: string;
  template: Template;
  runtime: Runtime;
  isJavaScript: boolean;
}

/** Thrown when the user cancels a question. */
export class Cancelled extends Error {}

const defaultFolder = 'my-api';

/** The choice without any questions. */
export function chooseDefaults({ folder, template, runtime, isJavaScript }: Arguments): Choice {
  return {
    folder: folder ?? defaultFolder,
    template: template ?? 'minimal',
    runtime: runtime ?? 'node',
    isJavaScript,
  };
}

/**
 * Asks at most four questions: for the folder, unless it is in the command line, for the runtime, the template and the language.
 * The runtime comes first, because it decides which templates and languages this version of Node allows.
 *
 * @throws {Cancelled} when the user presses Ctrl-C or Escape.
 */
export async function ask({ folder }: Arguments): Promise<Choice> {
  const chosenFolder = folder ?? (await askFolder());
  const runtime = await askRuntime();
  const template = await askTemplate(runtime);
  return { folder: chosenFolder, template, runtime, isJavaScript: await askLanguage(runtime) };
}

async function askFolder(): Promise<string> {
  return answer<string>(
    text({
      message: 'Which folder?',
      placeholder: defaultFolder,
      defaultValue: defaultFolder,
      validate: (value) => findFault(value || defaultFolder),
    }),
  );
}

async function askRuntime(): Promise<Runtime> {
  const options = (Object.keys(runtimes) as Runtime[]).map((value) => {
    const obstacle = findNodeObstacle('minimal', true, value);
    return {
      value,
      label: runtimes[value],
      disabled: obstacle !== undefined,
      ...(obstacle && { hint: obstacle }),
    };
  });
  return answer<Runtime>(select<Runtime>({ message: 'Which runtime?', options }));
}

async function askTemplate(runtime: Runtime): Promise<Template> {
  const obstacle = findNodeObstacle('service', true, runtime);
  return answer<Template>(
    select<Template>({
      message: 'Which template?',
      options: [
        { value: 'minimal', label: 'minimal', hint: templates.minimal },
        {
          value: 'service',
          label: 'service',
          hint: obstacle ?? templates.service,
          disabled: obstacle !== undefined,
        },
      ],
    }),
  );
}

async function askLanguage(runtime: Runtime): Promise<boolean> {
  const obstacle = findNodeObstacle('minimal', false, runtime);
  return answer<boolean>(
    select<boolean>({
      message: 'Which language?',
      initialValue: obstacle !== undefined,
      options: [
        {
          value: false,
          label: 'TypeScript',
          hint: obstacle ?? 'runs without a build',
          disabled: obstacle !== undefined,
        },
        { value: true, label: 'JavaScript' },
      ],
    }),
  );
}

function answer<Value extends string | boolean>(question: Promise<Value | symbol>): Promise<Value> {
  return question.then((value) => {
    // The library returns a symbol when a question is cancelled.
    if (typeof value === 'symbol') throw new Cancelled();
    return value;
  });
}
