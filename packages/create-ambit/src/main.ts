/** Runs the program: reads the command line, creates the application in its folder, and prints the result. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { intro, outro } from '@clack/prompts';
import { type Arguments, help, readArguments } from './arguments.ts';
import { checkFolder } from './folder.ts';
import { type PackageManager, packageManagerOf } from './package-manager.ts';
import { ask, Cancelled, type Choice, chooseDefaults } from './questions.ts';
import { checkNode, findNodeObstacle, folderOf, runtimes, UsageError } from './requirements.ts';
import { Interrupted, runStep } from './steps.ts';
import { type Project, writeProject } from './write-project.ts';

/**
 * Runs the program with the arguments of the process, and sets its exit code: 0, 1 for a failure, 2 for wrong usage, 130 when cancelled.
 *
 * @param templates The folder of the templates: a folder for each template and runtime, and in it one for each language.
 * @param addPackages Adds files of packages to the folder of the application, which then installs these packages from the
 *   files. It runs before the steps of `--install` and `--git`. Without it, all packages come from a registry.
 */
export async function main(templates: string, addPackages?: (folder: string) => void): Promise<void> {
  try {
    process.exitCode = await run(readArguments(process.argv.slice(2)), templates, addPackages);
  } catch (error) {
    process.exitCode = explain(error);
  }
}

/** @returns The exit code. */
async function run(
  args: Arguments,
  templates: string,
  addPackages: ((folder: string) => void) | undefined,
): Promise<number> {
  if (args.infoOption !== undefined) {
    console.log(args.infoOption === 'help' ? help.trimEnd() : version);
    return 0;
  }
  if (args.folder !== undefined) checkFolder(args.folder);
  const isInteractive = !args.usesDefaults && process.stdin.isTTY && process.stdout.isTTY;
  if (isInteractive) intro(`create-ambit ${version}`);
  const choice = isInteractive ? await ask(args) : chooseDefaults(args);
  checkNode(choice.template, choice.isJavaScript, choice.runtime);
  checkFolder(choice.folder);
  const userAgent = process.env.npm_config_user_agent;
  const packageManager = packageManagerOf(choice.runtime, userAgent, addPackages !== undefined);
  const language = choice.isJavaScript ? 'javascript' : 'typescript';
  const template = join(templates, folderOf(choice.template, choice.runtime), language);
  const project = writeProject(template, choice.folder, packageManager);
  if (addPackages !== undefined) addTo(project, addPackages);
  const created = `Created ${choice.folder}: template ${choice.template}, ${describeChoice(choice)}`;
  if (isInteractive) outro(created);
  else console.log(created + explainLanguage(choice, args));
  const installsPackages = args.installsPackages ?? isInteractive;
  const isComplete = await complete(project, { ...args, installsPackages }, packageManager);
  printNext(project, choice, packageManager, installsPackages && isComplete);
  return isComplete ? 0 : 1;
}

/** @throws What `addPackages` throws. The project is then removed. */
function addTo(project: Project, addPackages: (folder: string) => void): void {
  try {
    addPackages(project.path);
  } catch (error) {
    project.remove();
    throw error;
  }
}

function describeChoice({ runtime, isJavaScript }: Choice): string {
  const language = isJavaScript ? 'JavaScript' : 'TypeScript';
  return runtime === 'node' ? language : `${language}, for ${runtimes[runtime]}`;
}

/** @returns Why the language is JavaScript, if the user has not chosen it. */
function explainLanguage({ runtime, isJavaScript }: Choice, args: Arguments): string {
  if (!isJavaScript || args.isJavaScript) return '';
  return ` (${findNodeObstacle('minimal', false, runtime)})`;
}

/** Runs the steps of `--install` and `--git`. @returns Whether all of them succeeded. */
async function complete(
  project: Project,
  { installsPackages, startsGit }: Arguments,
  { name, install }: PackageManager,
): Promise<boolean> {
  const steps: [title: string, command: string][] = [];
  if (installsPackages) steps.push([`Installing packages with ${name}`, install]);
  if (startsGit && !existsSync(join(project.path, '.git')))
    steps.push(['Starting a Git repository', 'git init --quiet']);
  try {
    for (const [title, command] of steps) {
      const failure = await runStep(title, command, project.path);
      if (failure === undefined) continue;
      console.error(`\`${command}\` failed: ${failure.trim()}`);
      return false;
    }
    return true;
  } catch (error) {
    project.remove();
    throw error;
  }
}

function printNext(
  { path }: Project,
  { template, runtime }: Choice,
  { install, run }: PackageManager,
  isInstalled: boolean,
): void {
  const folder = relative('', path);
  const start = `${run} dev`;
  const port = runtime === 'cloudflare' ? 8787 : 3000;
  console.log('\nNext:');
  if (folder !== '') console.log(`  cd ${folder}`);
  console.log(isInstalled ? `  ${start}` : `  ${install} && ${start}`);
  console.log(`  open http://localhost:${port}${firstPages[template]} in a browser`);
}

/** What a new application shows first. */
const firstPages = { minimal: '/hello/ada?times=2', service: '/docs' };

/** Prints an error in one line. @returns The exit code. */
function explain(error: unknown): number {
  if (error instanceof Cancelled) {
    console.error('Cancelled: nothing was created.');
    return 130;
  }
  if (error instanceof Interrupted) {
    console.error('\nStopped: what was created is removed.');
    return error.exitCode;
  }
  const message = error instanceof Error ? error.message : String(error);
  console.error(`create-ambit: ${message}.`);
  return error instanceof UsageError ? 2 : 1;
}

/** The version of this package; a test compares it with package.json. */
export const version = '0.1.0';
