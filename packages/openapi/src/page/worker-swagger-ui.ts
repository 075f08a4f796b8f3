/** Replaces swagger-ui.ts on workers, which cannot read the files of a package. */
import { OpenAPIError } from '../openapi-error.ts';

/** @throws {OpenAPIError} */
export function swaggerPage(): never {
  throw new OpenAPIError(
    'AMBIT_ERR_OPENAPI_PAGE',
    "docs.ui 'swagger-ui' is not available in this runtime, which cannot read the files of swagger-ui-dist: leave docs.ui out, or set docs to false",
  );
}
