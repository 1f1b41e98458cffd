// The project's own rules for a contract, as a plugin that redocly.yaml names. What Redocly can be
// configured to ask stands there.
import type { Location, Oas3Rule, Plugin, UserContext } from '@redocly/openapi-core';

/** A node of a contract as its author wrote it: nothing of it is sure. */
type Written = Readonly<Record<string, unknown>>;

interface Found {
  readonly node: Written;
  readonly location: Location;
}

const ERROR = /\/schemas\/Error$/;

/** Whatever goes wrong, a client reads one schema. */
const errorBody: Oas3Rule = () => ({
  Responses(responses: Written, context: UserContext) {
    for (const [status, response] of Object.entries(responses)) {
      if (!/^(?:[45]|default$)/.test(status)) continue;
      const found = follow(response, context.location.child(status), context);
      const contents = found && contentsOf(found, context);
      if (contents?.length === 0) {
        const message = `${status} has no body, expected the schema Error`;
        context.report({ message, location: found!.location.key() });
      }
      for (const { node, location } of contents ?? []) {
        const { schema } = node;
        if (isWritten(schema) && ERROR.test(String(schema['$ref']))) continue;
        const message = `${status} has another body, expected the schema Error`;
        context.report({ message, location: location.child('schema') });
      }
    }
  },
});

/** Documentation, mocks, the page and the tests of the examples are made of them. */
const examples: Oas3Rule = () => ({
  MediaType(media: object, { report, location }) {
    const { example, examples: named } = media as Written;
    if (example !== undefined || (isWritten(named) && Object.keys(named).length > 0)) return;
    report({ message: 'there is no example, expected one or more', location: location.key() });
  },
});

/** A schema without a name gets one from each generator: InlineObject1, CreateToyRequestBody. */
const namedSchemas: Oas3Rule = () => {
  const check = (schema: unknown, at: Location, { report }: UserContext) => {
    if (!isWritten(schema) || schema['$ref'] !== undefined || !isStructured(schema)) return;
    report({ message: 'the schema has no name, expected a $ref to components', location: at });
  };
  return {
    MediaType(media: object, context) {
      check((media as Written)['schema'], context.location.child('schema'), context);
    },
    Schema(schema: object, context) {
      const { properties, items } = schema as Written;
      check(items, context.location.child('items'), context);
      for (const [name, property] of Object.entries(isWritten(properties) ? properties : {})) {
        check(property, context.location.child(['properties', name]), context);
      }
    },
  };
};

function isStructured(schema: Written): boolean {
  return ['properties', 'allOf', 'oneOf', 'anyOf'].some((word) => schema[word] !== undefined);
}

function contentsOf({ node, location }: Found, context: UserContext): Found[] {
  const { content } = node;
  return Object.entries(isWritten(content) ? content : {}).flatMap(([type, media]) => {
    const found = follow(media, location.child(['content', type]), context);
    return found === undefined ? [] : [found];
  });
}

/** @returns undefined for a `$ref` that leads nowhere, which another rule tells */
function follow(node: unknown, location: Location, { resolve }: UserContext): Found | undefined {
  if (!isWritten(node)) return undefined;
  if (typeof node['$ref'] !== 'string') return { node, location };
  const target = resolve<Written>({ $ref: node['$ref'] }, location.source.absoluteRef);
  if (!isWritten(target.node) || target.location === undefined) return undefined;
  return { node: target.node, location: target.location };
}

function isWritten(value: unknown): value is Written {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Redocly asks a plugin's module for a function that makes the plugin. */
export default function house(): Plugin {
  return {
    id: 'house',
    rules: {
      oas3: { 'error-body': errorBody, examples, 'named-schemas': namedSchemas },
    },
  };
}
