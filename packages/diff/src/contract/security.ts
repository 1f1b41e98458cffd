// Compares security requirements and security schemes.
import type {
  Contract,
  OAuthFlow,
  Operation,
  SecurityRequirement,
  SecurityScheme,
} from '@stubwright/contract';
import { change } from '../rules/rules.ts';
import { DOCUMENTATION_KEYWORDS } from '../rules/severity.ts';
import { canonical, fieldsOf, without } from '../values/formatting.ts';
import type { ComparedPart } from './comparedPart.ts';

/** A security requirement, keyed by scheme definition instead of scheme name. */
interface ResolvedRequirement {
  readonly text: string;
  readonly schemes: readonly {
    readonly key: string;
    readonly scopes: readonly string[];
    readonly flows: Readonly<Record<string, OAuthFlow>>;
  }[];
}

const NOT_CREDENTIALS = new Set<string>(DOCUMENTATION_KEYWORDS.securityScheme);

export function compareSecurity(operation: ComparedPart<Operation>): void {
  const { context, before, after } = operation;
  const was = resolveRequirements(context.before, before.security);
  const is = resolveRequirements(context.after, after.security);
  const at = {
    before: { pointer: pointerOf(context.before, before) },
    after: { pointer: pointerOf(context.after, after) },
  };
  const security = operation.within('security');
  for (const one of was) {
    if (is.some((other) => suffices(one, other))) continue;
    security.report(change('security-requirement-removed', { name: one.text }), '', at);
  }
  for (const one of is) {
    if (was.some((other) => suffices(one, other))) continue;
    security.report(change('security-requirement-added', { name: one.text }), '', at);
  }
}

/** @returns whether credentials that satisfy `one` satisfy `other` */
function suffices(one: ResolvedRequirement, other: ResolvedRequirement): boolean {
  return other.schemes.every(({ key, scopes, flows }) =>
    one.schemes.some(
      (granted) =>
        granted.key === key &&
        scopes.every((scope) => granted.scopes.includes(scope)) &&
        Object.entries(granted.flows).every(([name, flow]) => isSameFlow(flow, flows[name])),
    ),
  );
}

/** A client uses a refresh URL only if its contract has one. */
function isSameFlow(one: OAuthFlow, other: OAuthFlow | undefined): boolean {
  if (other === undefined) return false;
  const urls = ['authorizationUrl', 'deviceAuthorizationUrl', 'tokenUrl'] as const;
  const isRefreshed = one.refreshUrl === undefined || one.refreshUrl === other.refreshUrl;
  return isRefreshed && urls.every((url) => one[url] === other[url]);
}

/** An absent requirement is an empty one. */
function resolveRequirements(
  { securitySchemes }: Contract,
  security: readonly SecurityRequirement[],
): ResolvedRequirement[] {
  const requirements: readonly SecurityRequirement[] = security.length === 0 ? [{}] : security;
  return requirements.map((requirement) => {
    const entries = Object.entries(requirement);
    const texts = entries.map(
      ([name, scopes]) => `${name} (${[kindOf(securitySchemes.get(name)), ...scopes].join(', ')})`,
    );
    return {
      text: texts.join(' and ') || 'no credentials',
      schemes: entries.map(([name, scopes]) => ({
        key: keyOf(securitySchemes.get(name)),
        scopes,
        flows: securitySchemes.get(name)?.flows ?? {},
      })),
    };
  });
}

/** @returns `http bearer` */
function kindOf(scheme: SecurityScheme | undefined): string {
  const fields = ['type', 'scheme', 'in', 'name'].map((field) => scheme?.field(field));
  return fields.filter((field) => typeof field === 'string').join(' ');
}

/** The definition of a scheme without documentation and flows, which are compared one by one. */
function keyOf(scheme: SecurityScheme | undefined): string {
  const fields = fieldsOf(
    scheme,
    (field) => field === 'flows' || NOT_CREDENTIALS.has(field) || field.startsWith('x-'),
  );
  // Names of authentication schemes and of headers are case-insensitive.
  for (const text of scheme?.in === 'header' ? ['scheme', 'name'] : ['scheme']) {
    if (text in fields) fields[text] = String(fields[text]).toLowerCase();
  }
  return canonical(fields);
}

function pointerOf({ root }: Contract, operation: Operation): string {
  if (operation.field('security') !== undefined) return `${operation.pointer}/security`;
  return root.field('security') === undefined ? operation.pointer : '/security';
}

/** Reports renamed schemes: SDKs configure credentials by the name. */
export function compareSchemes(documents: ComparedPart): void {
  const { context } = documents;
  const { securitySchemes: was } = context.before;
  const { securitySchemes: is } = context.after;
  for (const [name, before] of was) {
    const after = is.get(name);
    if (after !== undefined) {
      const scheme = documents.within(`security scheme ${name}`).with({ before, after });
      scheme.documentation(DOCUMENTATION_KEYWORDS.securityScheme);
      compareScopes(scheme);
      continue;
    }
    const isEqual = (other: SecurityScheme) =>
      keyOf(before) === keyOf(other) && canonical(before.flows) === canonical(other.flows);
    const renamed = [...is].find(
      ([newName, securityScheme]) => !was.has(newName) && isEqual(securityScheme),
    );
    if (renamed === undefined) continue;
    const [newName, other] = renamed;
    const message = change('security-scheme-renamed', { name, newName });
    documents.report(message, '', { before, after: other });
  }
}

/** Compares the scopes that the flows of a scheme offer. Operations compare the scopes they require. */
function compareScopes(scheme: ComparedPart<SecurityScheme>): void {
  const { flows: was } = scheme.before;
  const { flows: is } = scheme.after;
  for (const [flow, { scopes: old = {} }] of Object.entries(was)) {
    const other = is[flow];
    if (other === undefined) continue;
    const { scopes: now = {} } = other;
    for (const scope of without(Object.keys(old), Object.keys(now))) {
      scheme.report(change('security-scope-removed', { scope, flow }), 'flows');
    }
    for (const scope of without(Object.keys(now), Object.keys(old))) {
      scheme.report(change('security-scope-added', { scope, flow }), 'flows');
    }
    const isDescribed = Object.keys(now).some((name) => name in old && old[name] !== now[name]);
    if (isDescribed) {
      const keyword = `the scopes of ${flow}`;
      scheme.report(change('documentation-changed', { keyword }), 'flows');
    }
  }
}
