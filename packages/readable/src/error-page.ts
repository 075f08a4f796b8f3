/** The page of an error, for the browser of the developer. It has no scripts, loads nothing, and writes whatever it gets as text. */
import { sep } from 'node:path';
import type { SaveProblem } from './development-session.ts';
import { shorten } from './print.ts';
import type { CodeFrame, ErrorReport } from './report.ts';
import type { RequestDescription } from './request-record.ts';
import type { Frame } from './stack.ts';

/** What the page shows. */
export interface ErrorPageContent {
  /** The status of the response. */
  readonly status: number;
  /** The name of that status. */
  readonly statusText: string;
  /** What was thrown: its stack is shown, and its list `validation`; `undefined` if no route matches the request. */
  readonly error: unknown;
  /** The report of that. */
  readonly report: ErrorReport | undefined;
  /** Routes that the request was probably meant for. */
  readonly nearestRoutes?: readonly string[] | undefined;
  /** The request. */
  readonly request: {
    readonly method: string;
    /** Its id in the log. */
    readonly id?: string | undefined;
    /** The pattern of its route. */
    readonly route?: string | undefined;
  };
  /** What was recorded of the request: `describe` of a `RequestRecord`. */
  readonly recorded: RequestDescription;
  /** Why the last save does not start, while the version before it serves. */
  readonly saveProblem?: SaveProblem | undefined;
  /** What paths are relative to. Default: the working directory. */
  readonly folder?: string;
}

/** The header fields of the page. They allow neither scripts nor anything from elsewhere, also inside a frame. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * Whether a browser navigates to a page, and prefers HTML (RFC 9110, section 12.5.1; Fetch Metadata). The request of a script does not.
 *
 * @param headers The headers, with their names in lower case.
 */
export function isNavigation(headers: Readonly<Record<string, unknown>>): boolean {
  const { accept, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination = 'document' } = headers;
  if (mode !== 'navigate' || destination !== 'document') return false;
  const weights = new Map(String(accept).split(',').map(readRange));
  const html = weights.get('text/html') ?? 0;
  return html > 0 && html >= (weights.get('application/json') ?? 0);
}

function readRange(text: string): [type: string, weight: number] {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return [type, Number(weight) || 0];
}

/**
 * Writes the page of an error. Send it with `pageHeaders`.
 *
 * @param content What the page shows. All of it is text, from whomever it comes.
 */
export function errorPage(content: ErrorPageContent): string {
  const { status, statusText, error, report = notFound, folder = process.cwd() } = content;
  const { recorded } = content;
  const request = `${content.request.method} ${recorded.url}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(`${status} ${report.title}`)}</title>
<style>${pageStyle}</style>
</head>
<body>
<header>
<p><strong class="status">${status} ${escapeText(statusText)}</strong> <code>${escapeText(request)}</code></p>
<h1>${escapeText(report.title)}</h1>
<p class="kind">${kindOf(report)}</p>
</header>
<main>
${saveProblemOf(content)}${problemList(error)}${routeList(content)}${adviceOf(report)}${frameOf(report.frame, folder)}${stackOf(report, error, folder)}${causeOf(report.cause, folder)}${stepList(recorded)}${logList(recorded)}${requestOf(content)}</main>
<footer>
${linkToTool(recorded)}<p>You see this page because the application runs in development, on this machine.</p>
</footer>
</body>
</html>
`;
}

const notFound: ErrorReport = {
  title: 'No route matches the request',
  name: 'Not Found',
  stack: { frames: [], foldedCount: 0, libraries: [] },
};

function linkToTool({ page }: RequestDescription): string {
  return page === undefined ? '' : `<p><a href="${escapeText(encodeURI(page))}">Open the inspector</a></p>\n`;
}

function kindOf({ name, code, where }: ErrorReport): string {
  const parts = [name, code, where?.plugin && `in plugin ${where.plugin}`];
  return parts
    .filter((part) => part !== undefined && part !== '')
    .map((part) => `<span>${escapeText(String(part))}</span>`)
    .join(' ');
}

function section(title: string, content: string, attributes = ''): string {
  return content === '' ? '' : `<section${attributes}>\n<h2>${title}</h2>\n${content}\n</section>\n`;
}

function list(items: readonly string[]): string {
  return items.length === 0 ? '' : `<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`;
}

function saveProblemOf({ saveProblem }: ErrorPageContent): string {
  if (saveProblem === undefined) return '';
  const { title, text } = saveProblem;
  const lead = '<p>The last save does not start. This is the answer of the version before it.</p>\n';
  const report = `<details open>\n<summary>${escapeText(title)}</summary>\n<pre tabindex="0">${escapeText(text)}</pre>\n</details>`;
  return section('Last save', `${lead}${report}`, ' class="problem"');
}

/** The list that Ajv and other validators leave in an error. */
function problemList(error: unknown): string {
  const { validation, validationContext = '' } = Object(error) as Record<string, unknown>;
  const items = (Array.isArray(validation) ? validation : []).map((problem) => {
    const { instancePath = '', message = '' } = Object(problem) as Record<string, unknown>;
    return `<code>${escapeText(`${validationContext}${instancePath}`)}</code> ${escapeText(String(message))}`;
  });
  return section('What is wrong with the request', list(items));
}

function routeList({ nearestRoutes = [] }: ErrorPageContent): string {
  return section('Did you mean', list(nearestRoutes.map((route) => `<code>${escapeText(route)}</code>`)));
}

function adviceOf({ advice }: ErrorReport): string {
  return advice === undefined ? '' : `<p class="advice">${escapeText(advice)}</p>\n`;
}

function frameOf(frame: CodeFrame | undefined, folder: string): string {
  if (frame === undefined) return '';
  const lines = frame.lines.map(({ number, text }) => {
    const isMarked = number === frame.line;
    const from = isMarked ? frame.column - 1 : text.length;
    const to = isMarked ? from + frame.length : text.length;
    const marked = from < to ? `<mark>${escapeText(text.slice(from, to))}</mark>` : '';
    const code = `${escapeText(text.slice(0, from))}${marked}${escapeText(text.slice(to))}`;
    return `<span class="line${isMarked ? ' at' : ''}"><span class="number">${number}</span>${code}\n</span>`;
  });
  return `<figure>
<figcaption>${linkTo(frame, folder)}</figcaption>
<pre tabindex="0"><code>${lines.join('')}</code></pre>
</figure>
`;
}

function stackOf({ stack }: ErrorReport, error: unknown, folder: string): string {
  const items = stack.frames.map((frame) => {
    const called = frame.function === undefined ? '' : `<code>${escapeText(frame.function)}</code> `;
    return `${called}${linkTo(frame, folder)}`;
  });
  const { stack: wholeStack } = Object(error) as { readonly stack?: unknown };
  const { foldedCount, libraries } = stack;
  const inside = libraries.length === 0 ? 'the runtime' : libraries.join(', ');
  const summary = `${items.length > 0 ? 'and ' : ''}${foldedCount} ${foldedCount === 1 ? 'frame' : 'frames'} inside ${inside}`;
  const folded = typeof wholeStack !== 'string' || foldedCount === 0 ? '' : details(summary, wholeStack);
  return section('Stack', [list(items), folded].filter((part) => part !== '').join('\n'));
}

function details(summary: string, text: string): string {
  return `<details>\n<summary>${escapeText(summary)}</summary>\n<pre tabindex="0">${escapeText(text)}</pre>\n</details>`;
}

function causeOf(cause: ErrorReport | undefined, folder: string): string {
  if (cause === undefined) return '';
  const title = `<p>${escapeText(cause.title)}</p>\n<p class="kind">${kindOf(cause)}</p>\n`;
  return `${section('Caused by', `${title}${frameOf(cause.frame, folder)}`)}${causeOf(cause.cause, folder)}`;
}

function stepList({ steps }: RequestDescription): string {
  if (steps.length === 0) return '';
  const rows = steps.map(
    ({ name, function: called, startMs, ms }) =>
      `<tr><th scope="row">${escapeText(name)}</th><td>${called ? `<code>${escapeText(called)}</code>` : ''}</td><td class="time">${startMs.toFixed(2)}</td><td class="time">${ms.toFixed(2)}</td></tr>`,
  );
  const head =
    '<tr><th scope="col">Step</th><th scope="col">Function</th><th scope="col" class="time">At, ms</th><th scope="col" class="time">Took, ms</th></tr>';
  return section('Steps that ran', table(`${head}\n${rows.join('\n')}`));
}

function logList({ at: startedAt, logs, logCount }: RequestDescription): string {
  if (logCount === 0) return '';
  const rows = logs.map(({ at, level, message, fields }) => {
    const kind = /^(?:error|fatal)$/.test(level) ? ' class="bad"' : '';
    const rest = listFields(message, fields);
    const details = rest === '' ? '' : ` <code>${escapeText(rest)}</code>`;
    return `<tr${kind}><th scope="row">${escapeText(level)}</th><td>${escapeText(message)}${details}</td><td class="time">${at - startedAt}</td></tr>`;
  });
  const head =
    '<tr><th scope="col">Level</th><th scope="col">Message</th><th scope="col" class="time">At, ms</th></tr>';
  const omitted = logCount > logs.length ? `\n<p class="kind">and ${logCount - logs.length} more</p>` : '';
  return section('Log of this request', `${table(`${head}\n${rows.join('\n')}`)}${omitted}`);
}

/** `note=7 part="store"`. The error that the message is of is shown above. */
function listFields(message: string, fields: string): string {
  return Object.entries(JSON.parse(fields || '{}') as Record<string, unknown>)
    .filter(([, value]) => (Object(value) as { readonly message?: unknown }).message !== message)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');
}

function requestOf({ request: { method, id, route }, recorded: { url, headers } }: ErrorPageContent): string {
  const facts: [string, string | undefined][] = [
    ['Method', method],
    ['URL', url],
    ['Route', route],
    ['Request id', id],
    ...Object.entries(headers),
  ];
  const rows = facts
    .filter(([, value]) => value !== undefined && value !== '')
    .map(
      ([name, value]) => `<tr><th scope="row">${escapeText(name)}</th><td>${escapeText(value!)}</td></tr>`,
    );
  return section('Request', table(rows.join('\n'), 'facts'));
}

function table(rows: string, kind = 'steps'): string {
  return `<div class="scroll" tabindex="0"><table class="${kind}">\n${rows}\n</table></div>`;
}

/** The place as text, which opens the editor if it is that of a file. */
function linkTo({ file, line, column }: Pick<Frame, 'file' | 'line' | 'column'>, folder: string): string {
  const text = escapeText(`${shorten(file, folder)}:${line}:${column}`);
  const path = file.split(sep).join('/');
  if (!/^(?:\/|[A-Za-z]:\/)/.test(path)) return `<span class="place">${text}</span>`;
  // Each part is encoded, so that nothing in a name ends the path.
  const encoded = path.split('/').map(encodePart).join('/');
  const target = `vscode://file${path.startsWith('/') ? '' : '/'}${encoded}:${line}:${column}`;
  return `<a class="place" href="${escapeText(target)}">${text}</a>`;
}

function encodePart(part: string): string {
  return encodeURIComponent(part.replaceAll(/\p{Surrogate}/gu, '\uFFFD')).replaceAll('%3A', ':');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Longer texts are cut: nobody reads them, and a browser takes long to show them. */
const longestText = 20_000;

/** Characters that are not seen, or that change the order in which others are seen; a lone surrogate has no UTF-8. */
const unseen = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** Text for elements and for attributes in quotation marks. */
function escapeText(text: string): string {
  return (text.length > longestText ? `${text.slice(0, longestText)}…` : text)
    .replaceAll('\r\n', '\n')
    .replaceAll(/[&<>"'`]/g, (character) => entities[character]!)
    .replaceAll(
      unseen,
      (character) => `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}

/** One column, light or dark as the system is, from a telephone to a wide screen. */
const pageStyle = `
:root{color-scheme:light dark;--paper:#fbfbf9;--card:#fff;--ink:#1d1f23;--soft:#5d636d;--edge:#dcdfe4;--bad:#b3261e;--badpaper:#fdecea;--mark:#ffd7d2;--link:#0b57d0}
@media (prefers-color-scheme:dark){:root{--paper:#16181c;--card:#1e2126;--ink:#e7e9ee;--soft:#a3abb8;--edge:#343a43;--bad:#ff9b91;--badpaper:#3a1f1d;--mark:#6e2a24;--link:#8ab4ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header,main,footer{max-width:60rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2rem}
header p{margin:0;overflow-wrap:anywhere}
h1{font-size:clamp(1.3rem,1rem + 1.6vw,1.9rem);line-height:1.3;margin:.6rem 0 .4rem;white-space:pre-wrap;overflow-wrap:anywhere}
h2{font-size:.95rem;margin:0 0 .5rem;color:var(--soft);font-weight:600}
code,pre,.place{font:.875rem/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
.status{background:var(--badpaper);color:var(--bad);border-radius:.4rem;padding:.15rem .55rem;margin-right:.4rem;white-space:nowrap}
.kind{color:var(--soft);font-size:.9rem}
.kind span+span::before{content:"· "}
.advice{border-left:.25rem solid var(--bad);padding:.1rem .8rem;margin:1.4rem 0 0;overflow-wrap:anywhere}
section.problem{border-left:.25rem solid var(--bad)}
section,figure{background:var(--card);border:1px solid var(--edge);border-radius:.6rem;margin:1.4rem 0 0;padding:1rem}
section figure{margin-bottom:0}
figure{padding:0;overflow:hidden}
figcaption{padding:.55rem 1rem;border-bottom:1px solid var(--edge);overflow-wrap:anywhere}
pre{margin:0;overflow-x:auto;tab-size:2}
figure pre{padding:.6rem 0}
figure pre code{display:inline-block;min-width:100%}
.line{display:block;padding-right:1rem}
.line.at{background:var(--badpaper)}
.number{display:inline-block;width:3.5rem;padding-right:1rem;text-align:right;color:var(--soft);user-select:none}
mark{background:var(--mark);color:inherit;border-bottom:2px solid var(--bad)}
ul{margin:0;padding:0;list-style:none}
li{padding:.15rem 0;overflow-wrap:anywhere}
details{margin-top:.4rem}
summary{cursor:pointer;color:var(--soft);font-size:.9rem}
details pre{margin-top:.5rem;color:var(--soft)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0;border-top:1px solid var(--edge)}
tr:first-child>*{border-top:0}
th{font-weight:500;color:var(--soft);white-space:nowrap}
td{overflow-wrap:anywhere;min-width:9rem}
.bad th{color:var(--bad)}

.time{text-align:right;font-variant-numeric:tabular-nums;min-width:4.5rem}
a{color:var(--link)}
footer{padding-top:1.2rem;padding-bottom:2.5rem;color:var(--soft);font-size:.85rem}
footer p{margin:.2rem 0}
@media (max-width:30rem){header,main,footer{padding-left:.8rem;padding-right:.8rem}header{padding-top:1.1rem}.number{width:2.6rem;padding-right:.6rem}.facts tr,.facts th,.facts td{display:block}.facts td,.facts tr>*{border:0;padding:0;min-width:0}.facts tr{border-top:1px solid var(--edge);padding:.35rem 0}.facts tr:first-child{border-top:0}.steps th,.steps td{white-space:normal;padding-right:.5rem;min-width:0}.steps td.time{white-space:nowrap}}
`;
