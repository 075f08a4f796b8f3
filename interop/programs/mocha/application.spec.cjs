'use strict';

const { listCases } = require('../cases.cjs');
const faces = require('../faces.cjs');

for (const [title, check] of listCases(faces)) it(title, check);
