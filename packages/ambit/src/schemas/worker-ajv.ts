/** Stands in for ajv-instances.ts: workers get every validator from the artifact, and boot has refused a schema that is not in it. */
import { CodeGenerationForbidden } from '../contract/errors.ts';

export class AjvInstances {
  compile(): never {
    throw new CodeGenerationForbidden('a schema');
  }
}
