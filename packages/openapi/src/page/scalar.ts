/** Declares the page with Scalar's API reference: its files and its configuration. */
import type { Page } from './page.ts';
import { textFile } from './page-file.ts';
import { script } from './scalar-script.ts';

const start = `const configuration = JSON.parse(document.getElementById('configuration').textContent);
Scalar.createApiReference('#app', configuration);
`;

/** Turns off everything that sends requests to Scalar's own servers, and the functions for editing documents. */
const configuration = {
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  // Properties are shown in the order of the schema.
  orderSchemaPropertiesBy: 'preserve',
};

export function scalarPage(): Page {
  return {
    styles: [],
    scripts: ['scalar.js', 'start.js'],
    files: [script, textFile('start.js', start)],
    configuration,
  };
}
