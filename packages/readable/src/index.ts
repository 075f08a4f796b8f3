/** Errors and log lines that people read: an error with the lines of the program that it is about, and one line for each request. */

export {
  DevelopmentSession,
  developmentSession,
  type SaveProblem,
  startDevelopmentSession,
} from './development-session.ts';
export {
  type ErrorPageContent,
  errorPage,
  isNavigation,
  pageHeaders,
} from './error-page.ts';
export { isLoopback, type RequestHead, reasonNotLocal } from './local-client.ts';
export { type ReadableLog, type ReadableLogOptions, readableLog } from './log-lines.ts';
export { type KnownRoute, nearestRoutes, type UnmatchedRequest } from './nearest-routes.ts';
export { type Paint, type PrintOptions, printReport, printStack } from './print.ts';
export { type RedactableRequest, type RedactedRequest, Redactor } from './redact.ts';
export {
  type CodeFrame,
  type ErrorPlace,
  type ErrorReport,
  type ReportOptions,
  reportError,
} from './report.ts';
export {
  type LoggedLine,
  type RecordableRequest,
  type RequestDescription,
  RequestRecord,
  type TimedStep,
} from './request-record.ts';
export { type FoldedStack, type Frame, foldStack, inNodeModules, type LibraryOf } from './stack.ts';
export { undefinedMember } from './undefined-value.ts';
