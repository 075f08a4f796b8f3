/** What the schema of a form says about its fields, for the parser. */

export interface FormShape {
  /** Whether a field is a file; `undefined` if the schema does not declare the field. */
  isFile(field: string): boolean | undefined;
  /** Whether the value of a field is an array, also if the field comes once. */
  isList(field: string): boolean;
  /** Whether the value of a field is an object, which forms carry as JSON. */
  isObject(field: string): boolean;
}
