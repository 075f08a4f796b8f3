'use strict';

const tap = require('tap');
const { listCases } = require('../cases.cjs');
const flavors = require('../flavors.cjs');

for (const [title, check] of listCases(flavors)) tap.test(title, check);
