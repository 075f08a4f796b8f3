/** The names of formats that ajv-formats knows. */

/** The formats for strings that `ajv-formats` adds. */
export const textFormatNames: ReadonlySet<string> = new Set([
  'date',
  'time',
  'date-time',
  'iso-time',
  'iso-date-time',
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'url',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'regex',
  'uuid',
  'json-pointer',
  'json-pointer-uri-fragment',
  'relative-json-pointer',
  'byte',
  'password',
  'binary',
]);

export const formatNames: readonly string[] = [...textFormatNames, 'int32', 'int64', 'float', 'double'];
