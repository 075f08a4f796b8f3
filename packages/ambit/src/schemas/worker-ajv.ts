/**
 * Replaces ajv-instances.ts in the build for workers: they get all validators from the artifact, and boot fails for a schema that is not in
 * it.
 */
import { CodeGenerationForbidden } from '../types/errors.ts';

export class AjvInstances {
  compile(): never {
    throw new CodeGenerationForbidden('a schema');
  }
}
