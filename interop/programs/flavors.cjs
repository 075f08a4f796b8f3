'use strict';

const { compile, SerializationError } = require('@ambit/json-serializer');
const { ambit } = require('ambit');
const fastify = require('fastify');

module.exports = { fastify, ambit, errorCodes: fastify.errorCodes, SerializationError, compile };
