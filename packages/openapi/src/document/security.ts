/** Collects the security schemes of a document, and rejects requirements that name a scheme that is not declared. */
import type { SecurityRequirement, SecurityScheme } from '../document-types.ts';
import { OpenAPIError } from '../openapi-error.ts';
import type { DocumentedRoute } from './documented-route.ts';

const noKeys: ReadonlySet<string> = new Set();

export class SecuritySchemes {
  readonly #byName = new Map<string, SecurityScheme>();
  readonly #general: readonly SecurityRequirement[] | undefined;

  /**
   * @param own The schemes that the application declares.
   * @throws {OpenAPIError} if two different schemes have the same name, or if a requirement has no scheme.
   */
  constructor(
    own: Readonly<Record<string, SecurityScheme>>,
    general: readonly SecurityRequirement[] | undefined,
    routes: readonly DocumentedRoute[],
  ) {
    this.#general = general;
    for (const [name, scheme] of Object.entries(own)) this.#byName.set(name, scheme);
    for (const { inherited, route } of routes) {
      for (const [name, scheme] of inherited.schemes) this.#add(name, scheme, route);
    }
    this.#check(general, undefined);
  }

  #add(name: string, scheme: SecurityScheme, route: DocumentedRoute['route']): void {
    const known = this.#byName.get(name);
    if (known === undefined) this.#byName.set(name, scheme);
    else if (known !== scheme && JSON.stringify(known) !== JSON.stringify(scheme)) {
      const { where } = route;
      const message = `the security scheme '${name}' has two different declarations; the second is that of ${where.route}`;
      throw new OpenAPIError('AMBIT_ERR_OPENAPI_SECURITY', message, { where });
    }
  }

  /** The security requirements of an operation; `undefined` if those of the document apply. @throws {OpenAPIError} */
  requirementsOf({ schema, inherited, route }: DocumentedRoute): readonly SecurityRequirement[] | undefined {
    const requirements =
      (schema.security as readonly SecurityRequirement[] | undefined) ?? inherited.security;
    this.#check(requirements, route);
    return requirements;
  }

  /** The locations and names of API keys, such as `header x-api-key`. The scheme already declares such a parameter. */
  apiKeysOf(requirements: readonly SecurityRequirement[] = this.#general ?? []): ReadonlySet<string> {
    if (requirements.length === 0) return noKeys;
    const schemes = requirements.flatMap((requirement) =>
      Object.keys(requirement).map((name) => this.#byName.get(name)!),
    );
    return new Set(
      schemes
        .filter(({ type }) => type === 'apiKey')
        .map(({ in: location, name }) => `${location} ${name?.toLowerCase()}`),
    );
  }

  get all(): Record<string, SecurityScheme> {
    return Object.fromEntries(this.#byName);
  }

  /**
   * Checks that each requirement names a declared scheme.
   *
   * @param route The route that has the requirements; `undefined` for the document. Its position in the source is read
   *   from a stack trace only for an error.
   * @throws {OpenAPIError}
   */
  #check(
    requirements: readonly SecurityRequirement[] | undefined,
    route: DocumentedRoute['route'] | undefined,
  ): void {
    for (const requirement of requirements ?? []) {
      for (const name of Object.keys(requirement))
        if (!this.#byName.has(name)) throw this.#undeclared(name, route);
    }
  }

  #undeclared(name: string, route: DocumentedRoute['route'] | undefined): OpenAPIError {
    const names = [...this.#byName.keys()].sort().map((declaredName) => `'${declaredName}'`);
    const owner = route?.where.route ?? 'the options of the document';
    const declared = names.length === 0 ? 'none' : names.join(', ');
    const message = `security of ${owner} requires '${name}', but no security scheme has that name; declared: ${declared}`;
    return new OpenAPIError('AMBIT_ERR_OPENAPI_SECURITY', message, route && { where: route.where });
  }
}
