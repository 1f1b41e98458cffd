// Combinations that the specification excludes although each value has a valid type.

import type { Oas3Rule, UserContext } from '@redocly/openapi-core';
import { COMPOSITIONS, isObject, METHODS, type Node } from '@stubwright/contract';
import { hasExternalValue } from './files.ts';
import {
  checkParameter,
  checkToken,
  checkValue,
  exclude,
  type Warn,
} from './parameterExclusions.ts';

const COMPONENT_NAME = /^[a-zA-Z0-9._-]+$/;
const STATUS = /^(?:default|[1-5](?:\d\d|XX))$/;
const FLOWS = [
  ...['ImplicitFlow', 'PasswordFlow', 'ClientCredentials', 'AuthorizationCode'],
  'DeviceAuthorization',
];
const FIXED_METHODS = new Set(METHODS.map((method) => method.toUpperCase()));

export const exclusionsRule: Oas3Rule = () => {
  let minor = 0;
  const visit =
    (check: (node: Node, warn: Warn, context: UserContext) => void) =>
    (node: unknown, context: UserContext) => {
      if (!isObject(node)) return;
      const warn: Warn = (field, what, expected) =>
        context.report({
          message: `${what}  expected ${expected}`,
          location: context.location.child([...[field].flat()]).key(),
        });
      check(node, warn, context);
    };
  return {
    Root: visit((root, warn) => {
      minor = Number(/^3\.(\d)/.exec(String(root.openapi))?.[1] ?? 0);
      if (minor >= 2 && String(root.$self).includes('#')) {
        warn('$self', '$self has a fragment', 'a URI reference without one');
      }
      if (minor >= 2) checkNames(root, warn);
    }),
    ref: {
      enter(node: Node, { report, rawLocation }: UserContext) {
        for (const field of ['summary', 'description']) {
          const value: unknown = node[field];
          if (value === undefined || typeof value === 'string') continue;
          report({
            message: `${field} is not a string  expected a string`,
            location: rawLocation.child(field),
          });
        }
      },
    },
    License: visit(exclude('identifier', 'url')),
    ServerVariable: visit(({ enum: values }, warn) => {
      if (minor < 1 || !Array.isArray(values) || values.length > 0) return;
      warn('enum', 'enum is empty', 'at least one value');
    }),
    Components: visit(checkComponentNames),
    PathItem: visit((item, warn, context) => {
      checkQuerystrings(item, warn, context);
      for (const name of Object.keys(Object(item.additionalOperations))) {
        if (!FIXED_METHODS.has(name)) continue;
        const expected = `the property ${name.toLowerCase()}`;
        warn(['additionalOperations', name], `${name} is not an additional operation`, expected);
      }
    }),
    Operation: visit(checkQuerystrings),
    Responses: visit((responses, warn, { report, location }) => {
      if (Object.keys(responses).length === 0) {
        report({ message: 'responses is empty  expected a response', location: location.key() });
      }
      for (const status of Object.keys(responses)) {
        if (STATUS.test(status) || status.startsWith('x-')) continue;
        warn(status, `${status} is not a status`, '200, 2XX, default or another status');
      }
    }),
    Response: visit(({ headers }, warn) => {
      for (const name of Object.keys(Object(headers))) checkToken(name, ['headers', name], warn);
    }),
    Parameter: visit((parameter, warn) => checkParameter(parameter, minor, warn)),
    Header: visit((header, warn) => {
      checkValue(header, 'header', warn);
      if (header.allowReserved === undefined) return;
      warn('allowReserved', 'allowReserved has no effect in a header', 'it in query parameters');
    }),
    MediaType: visit((media, warn) => {
      exclude('examples', 'example')(media, warn);
      checkEncodings(media, warn);
    }),
    Encoding: visit(checkEncodings),
    Example: visit((written, warn) => {
      const example = hasExternalValue(written) ? { ...written, externalValue: '' } : written;
      exclude('value', 'externalValue', 'dataValue', 'serializedValue')(example, warn);
      exclude('serializedValue', 'externalValue')(example, warn);
    }),
    Link: visit((link, warn, { report, location }) => {
      if (link.parameters !== undefined && !isObject(link.parameters)) {
        warn('parameters', 'parameters is no object', 'values by name of the parameter');
      }
      exclude('operationRef', 'operationId')(link, warn);
      if (link.operationRef !== undefined || link.operationId !== undefined) return;
      const message = 'the link has no operation  expected operationId or operationRef';
      report({ message, location: location.key() });
    }),
    SecurityScheme: visit(({ scheme, bearerFormat }, warn) => {
      if (bearerFormat === undefined || /^bearer$/i.test(scheme)) return;
      warn('bearerFormat', `bearerFormat has no effect with ${scheme}`, 'scheme: bearer');
    }),
    ...Object.fromEntries(FLOWS.map((flow) => [flow, visit(checkScopes)])),
    Schema: visit((schema, warn) => {
      if (minor === 0 && Array.isArray(schema.items)) {
        warn('items', 'items is an array', 'one schema for all items');
      }
      for (const keyword of ['type', ...COMPOSITIONS]) {
        if (!Array.isArray(schema[keyword]) || schema[keyword].length > 0) continue;
        warn(keyword, `${keyword} is empty`, 'at least one item');
      }
    }),
    Xml: visit(exclude('nodeType', 'attribute', 'wrapped')),
  };
};

function checkComponentNames(components: Node, warn: Warn): void {
  for (const [kind, map] of Object.entries(components)) {
    if (kind.startsWith('x-')) continue;
    for (const name of Object.keys(Object(map))) {
      if (COMPONENT_NAME.test(name)) continue;
      warn([kind, name], `${name} is not a name of a component`, 'letters, digits, ., - and _');
    }
  }
}

/** The names of servers are unique; the parents of tags exist, and form no circle. */
function checkNames({ servers, tags }: Node, warn: Warn): void {
  const names = new Set<unknown>();
  for (const [at, server] of Array.isArray(servers) ? servers.entries() : []) {
    const { name } = Object(server);
    if (name !== undefined && names.has(name)) {
      warn(['servers', `${at}`, 'name'], `two servers have the name ${name}`, 'a name of its own');
    }
    names.add(name);
  }
  if (!Array.isArray(tags)) return;
  const parents = new Map<unknown, unknown>(tags.map((tag) => [tag?.name, tag?.parent]));
  const circles = circularNames(parents);
  for (const [at, tag] of tags.entries()) {
    const { name, parent } = Object(tag);
    if (parent === undefined) continue;
    const where = ['tags', `${at}`, 'parent'];
    if (!parents.has(parent)) warn(where, `the tag ${parent} is unknown`, 'a name in tags');
    if (circles.has(name)) warn(where, `the tag ${name} is its own ancestor`, 'another parent');
  }
}

/** Visits each name once. */
function circularNames(parents: ReadonlyMap<unknown, unknown>): Set<unknown> {
  const visited = new Set<unknown>();
  const circular = new Set<unknown>();
  for (const first of parents.keys()) {
    const path: unknown[] = [];
    const own = new Set<unknown>();
    let name: unknown = first;
    for (; name !== undefined && !visited.has(name); name = parents.get(name)) {
      visited.add(name);
      own.add(name);
      path.push(name);
    }
    if (own.has(name)) for (const each of path.slice(path.indexOf(name))) circular.add(each);
  }
  return circular;
}

function checkScopes({ scopes }: Node, warn: Warn): void {
  for (const [name, description] of Object.entries(Object(scopes))) {
    if (typeof description === 'string') continue;
    warn(['scopes', name], `the scope ${name} has no description`, 'a string');
  }
}

function checkQuerystrings({ parameters }: Node, warn: Warn, { resolve }: UserContext): void {
  if (!Array.isArray(parameters)) return;
  const places = parameters.map((each) => resolve<Node>(each).node?.in as unknown);
  const first = places.indexOf('querystring');
  if (first < 0) return;
  const last = places.lastIndexOf('querystring');
  const where = ['parameters', String(last)];
  if (first !== last) warn(where, 'two parameters have in: querystring', 'one of them');
  if (!places.includes('query')) return;
  warn(where, 'in: querystring and in: query exclude each other', 'one of them');
}

function checkEncodings(node: Node, warn: Warn): void {
  exclude('encoding', 'prefixEncoding', 'itemEncoding')(node, warn);
}
