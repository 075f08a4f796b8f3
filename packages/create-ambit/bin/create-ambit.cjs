#!/usr/bin/env node
// Checks the version of Node before it loads the program, which older versions cannot read.
'use strict';

const version = process.versions.node.split('.').map(Number);
if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
  console.error(
    'create-ambit needs Node 20.19 or newer. This is Node ' +
      process.versions.node +
      '. Install a newer one: https://nodejs.org',
  );
  process.exit(1);
}

require('../dist/main.cjs').main(require('node:path').join(__dirname, '../dist/templates'));
