/** Constraints: what a request must have, besides method and URL, for a route to match it. */

/** The values that a request must have for a route to match it, by strategy. */
export interface RouteConstraints {
  /** The version that the client asks for in `accept-version`: a version (`1.2.0`), or a range (`1.x`). */
  version?: string;
  /** The `host` header of the request. */
  host?: string | RegExp;
  [strategy: string]: unknown;
}

/** Selects between routes of one method and URL by another property of the request. */
export interface ConstraintStrategy {
  /** The name of the strategy in `constraints`. */
  name: string;
  /** If `true`, a request that has a value for this strategy never matches a route without this constraint. Default `false`. */
  mustMatchWhenDerived?: boolean;
  /** Creates the store that maps values of the constraint to handlers. Called for each routing tree. */
  storage(): {
    get(value: never): unknown;
    set(value: never, handler: never): void;
    del?(value: never): void;
    empty?(): void;
  };
  /**
   * Checks the value that a route is declared with.
   *
   * @param value The value.
   * @throws If the value is not allowed.
   */
  validate?(value: unknown): void;
  /**
   * Reads the value from a request.
   *
   * @param request Node's own request.
   * @param context Not used.
   * @param done Takes the value later. A strategy that declares this parameter must call it.
   * @returns The value, if the strategy has no parameter `done`.
   */
  deriveConstraint(
    request: never,
    context?: unknown,
    done?: (error: Error | null, value?: unknown) => void,
  ): unknown;
}
