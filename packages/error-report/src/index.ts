/** Shows an error with the lines of the program that it is about, where it belongs, and the frames of the program only. */
export { type Paint, type PrintOptions, printReport, printStack } from './print.ts';
export {
  type CodeFrame,
  type ErrorPlace,
  type ErrorReport,
  type ReportOptions,
  reportError,
} from './report.ts';
export { type FoldedStack, type Frame, foldStack, inNodeModules, type LibraryOf } from './stack.ts';
