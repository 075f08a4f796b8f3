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

/** The choice without any questions. Without a template, the language is one that this version of Node runs. */
export function chooseDefaults({ folder, template, runtime = 'node', isJavaScript }: Arguments): Choice {
  const needsJavaScript =
    template === undefined &&
    findNodeObstacle('minimal', false, runtime) !== undefined &&
    findNodeObstacle('minimal', true, runtime) === undefined;
  return {
    folder: folder ?? defaultFolder,
    template: template ?? 'minimal',
    runtime,
    isJavaScript: isJavaScript || needsJavaScript,
  };
}

/**
 * Asks at most three questions: for the folder, unless it is in the command line, for the runtime, and for the template with its
 * language. The runtime comes before the template, because it decides which templates this version of Node allows.
 *
 * @throws {Cancelled} when the user presses Ctrl-C or Escape.
 */
export async function ask({ folder }: Arguments): Promise<Choice> {
  const chosenFolder = folder ?? (await askFolder());
  const runtime = await askRuntime();
  return { folder: chosenFolder, runtime, ...(await askTemplate(runtime)) };
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
  const options = (Object.keys(runtimes) as Runtime[]).map((value) => ({
    value,
    label: runtimes[value],
    ...describeObstacle(findNodeObstacle('minimal', true, value)),
  }));
  return answer<Runtime>(select<Runtime>({ message: 'Which runtime?', options }));
}

type TemplateChoice = Pick<Choice, 'template' | 'isJavaScript'>;

async function askTemplate(runtime: Runtime): Promise<TemplateChoice> {
  const options = (Object.keys(templates) as Template[]).flatMap((template) =>
    [false, true].map((isJavaScript) => ({
      value: { template, isJavaScript },
      label: `${template}, in ${isJavaScript ? 'JavaScript' : 'TypeScript'}`,
      hint: templates[template],
      ...describeObstacle(findNodeObstacle(template, isJavaScript, runtime)),
    })),
  );
  return answer<TemplateChoice>(select<TemplateChoice>({ message: 'Which template?', options }));
}

/** What cannot be chosen is shown with a hint of a few words: the whole reason would not fit into the line. */
function describeObstacle(obstacle: string | undefined): { disabled?: true; hint?: string } {
  return obstacle === undefined ? {} : { disabled: true, hint: 'needs Node 22.18 or newer' };
}

function answer<Value extends string | object>(question: Promise<Value | symbol>): Promise<Value> {
  return question.then((value) => {
    // The library returns a symbol when a question is cancelled.
    if (typeof value === 'symbol') throw new Cancelled();
    return value;
  });
}
