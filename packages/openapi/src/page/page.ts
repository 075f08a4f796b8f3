/** What a documentation page consists of, and the page with Scalar's API reference. */
import { etagOf } from '../served-document.ts';

export interface Page {
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  readonly files: readonly PageFile[];
  /** The data for the script of the page. */
  readonly configuration: { readonly [option: string]: unknown };
}

export interface PageFile {
  readonly name: string;
  readonly type: string;
  readonly etag: string;
  /** The content as bytes or a stream, and its encoding. */
  open(acceptsGzip: boolean): { body: unknown; encoding?: string };
}

export const scriptType = 'text/javascript; charset=utf-8';

/** The script that starts a page. */
export function startFile(text: string): PageFile {
  return { name: 'start.js', type: scriptType, etag: etagOf(text), open: () => ({ body: text }) };
}

/** @param script Scalar itself. */
export function scalarPage(script: PageFile): Page {
  return {
    styles: [],
    scripts: ['scalar.js', 'start.js'],
    files: [script, startFile(startScalar)],
    configuration: scalarConfiguration,
  };
}

const startScalar = `const configuration = JSON.parse(document.getElementById('configuration').textContent);
Scalar.createApiReference('#app', configuration);
`;

/** Darker or lighter than Scalar's own: the texts get the contrast that WCAG 2.2 asks for (1.4.3). The selector has to win over its theme. */
const readableColors = `:root .light-mode.light-mode {
  --scalar-color-2: #5c5c5c;
  --scalar-color-3: #666;
  --scalar-color-green: #00734a;
  --scalar-color-blue: #0061a3;
  --scalar-color-orange: #a83c00;
}
:root .dark-mode.dark-mode {
  --scalar-color-3: #929292;
}`;

/** Turns off everything that sends requests to Scalar's own servers, and the functions for editing documents. */
const scalarConfiguration = {
  telemetry: false,
  customCss: readableColors,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  // Properties are shown in the order of the schema.
  orderSchemaPropertiesBy: 'preserve',
};
