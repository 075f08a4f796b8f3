/** The public surface of @ambit/json-validator. */
export { engineVersions } from './engine-packages.ts';
export * from './errors.ts';
export { type Explanation, explainFailure, type Failure, misspelledKeyword } from './explain-failure.ts';
export * from './options.ts';
export { formatNames } from './schema-precheck.ts';
export { type CompiledModule, type Externals, LinkedModules, ValidatorSource } from './validator-source.ts';
export { Validators, type WaitingValidator, waitingValidator } from './validators.ts';
