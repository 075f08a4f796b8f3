import { compile, SerializationError } from '@ambit/json-serializer';
import { ambit } from 'ambit';
import { errorCodes, fastify } from 'fastify';
import { listCases } from '../cases.cjs';

for (const [title, check] of listCases({ fastify, ambit, errorCodes, SerializationError, compile }))
  test(title, check);
