'use strict';

const { listCases } = require('../cases.cjs');
const flavors = require('../flavors.cjs');

for (const [title, check] of listCases(flavors)) it(title, check);
