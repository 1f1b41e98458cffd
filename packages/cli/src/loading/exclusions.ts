// What the specification excludes although the type of each value is right.
import type { Oas3Rule, UserContext } from '@redocly/openapi-core';
import { isObject, type Node } from 'stubwright/internal/document/definition';
import { hasExternalValue } from './files.ts';

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const COMPONENT_NAME = /^[a-zA-Z0-9._-]+$/;
const STATUS = /^(?:default|[1-5](?:\d\d|XX))$/;
const FIXED_METHODS = new Set([
  ...['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE', 'QUERY'],
]);
const STYLES: Readonly<Record<string, readonly string[]>> = {
  path: ['matrix', 'label', 'simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
};

/** Reports a property of the visited object, which is present. */
type Warn = (field: string | readonly string[], what: string, expected: string) => void;

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
    }),
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
    Responses: visit((responses, warn) => {
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
      exclude('operationRef', 'operationId')(link, warn);
      if (link.operationRef !== undefined || link.operationId !== undefined) return;
      const message = 'the link has no operation  expected operationId or operationRef';
      report({ message, location: location.key() });
    }),
    Xml: visit(exclude('nodeType', 'attribute', 'wrapped')),
  };
};

/** @returns a check that reports each of the fields `others` beside `field` */
function exclude(field: string, ...others: readonly string[]) {
  return (node: Node, warn: Warn) => {
    if (node[field] === undefined) return;
    for (const other of others) {
      if (node[other] === undefined) continue;
      warn(other, `${other} and ${field} exclude each other`, 'one of them');
    }
  };
}

function checkComponentNames(components: Node, warn: Warn): void {
  for (const [kind, map] of Object.entries(components)) {
    if (kind.startsWith('x-')) continue;
    for (const name of Object.keys(Object(map))) {
      if (COMPONENT_NAME.test(name)) continue;
      warn([kind, name], `${name} is not a name of a component`, 'letters, digits, ., - and _');
    }
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

function checkParameter(parameter: Node, minor: number, warn: Warn): void {
  const { in: where, name, required, allowReserved, allowEmptyValue } = parameter;
  checkValue(parameter, where, warn);
  if (where === 'path' && required !== true) {
    const field = required === undefined ? 'in' : 'required';
    warn(field, 'the path parameter is not required', 'required: true');
  }
  if (where === 'path' && /[{}]/.test(name)) {
    warn('name', `the path parameter ${name} has a brace in its name`, 'a name without { and }');
  }
  if (where === 'header') checkToken(name, 'name', warn);
  const reserves = ['query', ...(minor >= 2 ? ['path', 'cookie'] : [])];
  const isReserving = reserves.includes(where) && parameter.style !== 'cookie';
  if (allowReserved !== undefined && !isReserving) {
    warn(
      'allowReserved',
      `allowReserved has no effect in ${where}`,
      `it in ${reserves.join(', ')}`,
    );
  }
  if (allowEmptyValue !== undefined && where !== 'query') {
    warn('allowEmptyValue', `allowEmptyValue has no effect in ${where}`, 'it in query');
  }
}

/** `schema` with its style, or `content`: of a parameter or header. */
function checkValue(node: Node, where: string, warn: Warn): void {
  const { schema, content, style, example, examples } = node;
  exclude('examples', 'example')(node, warn);
  exclude('schema', 'content')(node, warn);
  if (schema === undefined && (example ?? examples) === undefined) {
    exclude('content', 'style', 'explode', 'allowReserved')(node, warn);
  }
  if (isObject(content) && Object.keys(content).length !== 1) {
    warn('content', `content has ${Object.keys(content).length} media types`, 'one');
  }
  if (where === 'querystring') {
    for (const field of ['schema', 'style', 'explode', 'allowReserved']) {
      if (node[field] === undefined) continue;
      warn(field, `${field} has no effect in querystring`, 'content with one media type');
    }
  }
  const styles = STYLES[where];
  if (style === undefined || styles === undefined || styles.includes(style)) return;
  warn('style', `style is ${style} in ${where}`, `one of ${styles.join(', ')}`);
}

function checkEncodings(node: Node, warn: Warn): void {
  exclude('encoding', 'prefixEncoding', 'itemEncoding')(node, warn);
}

function checkToken(name: unknown, field: string | readonly string[], warn: Warn): void {
  if (typeof name !== 'string' || TOKEN.test(name)) return;
  warn(field, `${name} is not a name of a header`, 'letters, digits and - as in X-Rate-Limit');
}
