/** Scalar's API reference: its files, and what it is told. */
import type { Page } from './page.ts';
import { textFile } from './page-file.ts';
import { script } from './scalar-script.ts';

const start = `const configuration = JSON.parse(document.getElementById('configuration').textContent);
Scalar.createApiReference('#app', configuration);
`;

/** Everything that sends requests to Scalar's own servers is off. Functions for editing documents are off too. */
const configuration = {
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  // In the order of the schema.
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
