/**
 * The groups of the official JSON Schema Test Suite that Ajv decides otherwise than the suite, by dialect and file. What they have in
 * common:
 *
 * - formats: ajv-formats reads RFC 1034 hosts, ASCII addresses and loose URIs, and no IRIs; `contentMediaType` and `contentEncoding` are
 *   not read.
 * - a schema for a property `__proto__` is ignored.
 * - draft 7: a keyword beside `$ref` counts, and an `$id` in an unknown keyword is an `$id`.
 * - draft 2020-12: `$dynamicRef` knows `#anchor` only, `contains` evaluates no items, an `if` without `then` evaluates no properties, an
 *   empty `enum` does not compile, vocabularies are not read.
 * - a shared schema is known by its own `$id` only, not by the URI that the suite gives it.
 */
export const ajvDifferences: Readonly<
  Record<'draft-07' | '2020-12', Readonly<Record<string, readonly string[]>>>
> = {
  'draft-07': {
    'optional/content': [
      'validation of binary string-encoding',
      'validation of binary-encoded media type documents',
      'validation of string-encoded content based on media type',
    ],
    'optional/format/date-time': ['validation of date-time strings'],
    'optional/format/ecmascript-regex': ['\\a is not an ECMA 262 control escape'],
    'optional/format/hostname': ['validation of A-label (punycode) host names', 'validation of host names'],
    'optional/format/idn-email': ['validation of an internationalized e-mail addresses'],
    'optional/format/idn-hostname': [
      'validation of internationalized host names',
      'validation of separators in internationalized host names',
    ],
    'optional/format/iri-reference': ['validation of IRI References'],
    'optional/format/iri': ['validation of IRIs'],
    'optional/format/uri-reference': ['validation of URI References'],
    'optional/format/uri-template': ['format: uri-template'],
    'optional/format/uri': ['validation of URIs'],
    'optional/unknownKeyword': ['$id inside an unknown keyword is not a real identifier'],
    properties: ['properties whose names are Javascript object property names'],
    ref: ['$ref prevents a sibling $id from changing the base uri', 'ref overrides any sibling keywords'],
  },
  '2020-12': {
    'optional/format/date-time': ['validation of date-time strings'],
    'optional/format/ecmascript-regex': ['\\a is not an ECMA 262 control escape'],
    'optional/format/hostname': ['validation of A-label (punycode) host names', 'validation of host names'],
    'optional/format/idn-email': ['validation of an internationalized e-mail addresses'],
    'optional/format/idn-hostname': [
      'validation of internationalized host names',
      'validation of separators in internationalized host names',
    ],
    'optional/format/iri-reference': ['validation of IRI References'],
    'optional/format/iri': ['validation of IRIs'],
    'optional/format/uri-reference': ['validation of URI References'],
    'optional/format/uri-template': ['format: uri-template'],
    'optional/format/uri': ['validation of URIs'],
    'optional/unknownKeyword': ['$id inside an unknown keyword is not a real identifier'],
    properties: ['properties whose names are Javascript object property names'],
    dynamicRef: [
      '$dynamicRef avoids the root of each schema, but scopes are still registered',
      '$dynamicRef points to a boolean schema',
      '$dynamicRef skips over intermediate resources - direct reference',
      '$ref and $dynamicAnchor are independent of order - $defs first',
      '$ref and $dynamicAnchor are independent of order - $ref first',
      '$ref to $dynamicRef finds detached $dynamicAnchor',
      'A $dynamicRef resolves to the first $dynamicAnchor still in scope that is encountered when the schema is evaluated',
      'A $dynamicRef that initially resolves to a schema with a matching $dynamicAnchor resolves to the first $dynamicAnchor in the dynamic scope',
      'A $dynamicRef that initially resolves to a schema without a matching $dynamicAnchor behaves like a normal $ref to $anchor',
      'A $dynamicRef to a $dynamicAnchor in the same schema resource behaves like a normal $ref to an $anchor',
      'A $dynamicRef to an $anchor in the same schema resource behaves like a normal $ref to an $anchor',
      'A $dynamicRef with a non-matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor',
      "A $dynamicRef with intermediate scopes that don't include a matching $dynamicAnchor does not affect dynamic scope resolution",
      'A $dynamicRef without a matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor',
      'A $dynamicRef without anchor in fragment behaves identical to $ref',
      'An $anchor with the same name as a $dynamicAnchor is not used for dynamic scope resolution',
      'after leaving a dynamic scope, it is not used by a $dynamicRef',
      'multiple dynamic paths to the $dynamicRef keyword',
      'tests for implementation dynamic anchor and reference link',
    ],
    enum: ['empty enum'],
    'optional/dynamicRef': [
      '$dynamicRef skips over intermediate resources - pointer reference across resource boundary',
    ],
    'optional/format-assertion': [
      'schema that uses custom metaschema with format-assertion: false',
      'schema that uses custom metaschema with format-assertion: true',
    ],
    'optional/format/duration': ['validation of duration strings'],
    'optional/format/email': ['validation of e-mail addresses'],
    'optional/format/uuid': ['uuid format'],
    ref: [
      'URN ref with nested pointer ref',
      'refs with relative uris and defs',
      'relative refs with absolute uris and defs',
    ],
    refRemote: ['remote HTTP ref with different $id', 'remote HTTP ref with different URN $id'],
    unevaluatedItems: [
      'unevaluatedItems and contains interact to control item dependency relationship',
      'unevaluatedItems can see annotations from if without then and else',
      'unevaluatedItems depends on adjacent contains',
      'unevaluatedItems depends on multiple nested contains',
      'unevaluatedItems with $dynamicRef',
      'unevaluatedItems with minContains = 0',
      'unevaluatedItems with nested items',
    ],
    unevaluatedProperties: [
      'unevaluatedProperties can see annotations from if without then and else',
      'unevaluatedProperties with $dynamicRef',
      'unevaluatedProperties with if/then/else, then not defined',
    ],
    vocabulary: ['schema that uses custom metaschema with with no validation vocabulary'],
  },
};
