'use strict';

const tap = require('tap');
const { listCases } = require('../cases.cjs');
const faces = require('../faces.cjs');

for (const [title, check] of listCases(faces)) tap.test(title, check);
