// Compares security requirements and security schemes.
import type { Definition, Node, Operation } from '@stubwright/contract';
import { DOCUMENTATION_KEYWORDS } from '../rules/documentationKeywords.ts';
import { change } from '../rules/rules.ts';
import { canonical, without } from '../values/formatting.ts';
import type { ComparedPart } from './comparedPart.ts';

type Requirement = Readonly<Record<string, readonly string[]>>;

/** A security requirement, keyed by scheme definition instead of scheme name. */
interface ResolvedRequirement {
  readonly text: string;
  readonly schemes: readonly {
    readonly key: string;
    readonly scopes: readonly string[];
    readonly flows: Readonly<Record<string, Flow>>;
  }[];
}

/** An OAuth Flow Object. */
interface Flow {
  readonly authorizationUrl?: string;
  readonly deviceAuthorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly refreshUrl?: string;
  readonly scopes?: Readonly<Record<string, string>>;
}

const NOT_CREDENTIALS = new Set<string>(DOCUMENTATION_KEYWORDS.securityScheme);

export function compareSecurity(
  operation: ComparedPart,
  before: Operation,
  after: Operation,
): void {
  const { context } = operation;
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
function isSameFlow(one: Flow, other: Flow | undefined): boolean {
  if (other === undefined) return false;
  const isRefreshed = one.refreshUrl === undefined || one.refreshUrl === other.refreshUrl;
  return (
    one.authorizationUrl === other.authorizationUrl &&
    one.deviceAuthorizationUrl === other.deviceAuthorizationUrl &&
    one.tokenUrl === other.tokenUrl &&
    isRefreshed
  );
}

/** An absent requirement is an empty one. */
function resolveRequirements(
  definition: Definition,
  security: readonly Requirement[],
): ResolvedRequirement[] {
  const requirements: readonly Requirement[] = security.length === 0 ? [{}] : security;
  return requirements.map((requirement) => {
    const entries = Object.entries(requirement);
    const texts = entries.map(([name, scopes]) => nameOf(definition, name, scopes));
    return {
      text: texts.join(' and ') || 'no credentials',
      schemes: entries.map(([name, scopes]) => ({
        key: schemeKey(definition, name),
        scopes,
        flows: flowsOf(definition.securitySchemes.get(name)?.node),
      })),
    };
  });
}

function flowsOf(scheme: Node | undefined): Readonly<Record<string, Flow>> {
  return scheme?.['flows'] ?? {};
}

/** @returns `bearerAuth (http bearer)`, with the required scopes */
function nameOf(definition: Definition, name: string, scopes: readonly string[]): string {
  const { type, scheme, in: where, name: key } = definition.securitySchemes.get(name)?.node ?? {};
  const kind = [type, scheme, where, key]
    .filter((keyword) => typeof keyword === 'string')
    .join(' ');
  return `${name} (${[kind, ...scopes].join(', ')})`;
}

/** The definition of a scheme without documentation and flows, which are compared one by one. */
function schemeKey(definition: Definition, name: string): string {
  const node = definition.securitySchemes.get(name)?.node ?? {};
  const entries = Object.entries(node).filter(
    ([keyword]) => keyword !== 'flows' && !NOT_CREDENTIALS.has(keyword) && !/^x-/.test(keyword),
  );
  // Names of authentication schemes and of headers are case-insensitive.
  const isInsensitive = (keyword: string) =>
    keyword === 'scheme' || (keyword === 'name' && node['in'] === 'header');
  return canonical(
    Object.fromEntries(
      entries.map(([keyword, value]) => [
        keyword,
        isInsensitive(keyword) ? String(value).toLowerCase() : value,
      ]),
    ),
  );
}

function pointerOf({ document }: Definition, { location }: Operation): string {
  if (location.node.security !== undefined) return `${location.pointer}/security`;
  return document.security === undefined ? location.pointer : '/security';
}

/** Reports renamed schemes: SDKs configure credentials by the name. */
export function compareSchemes(documents: ComparedPart): void {
  const { context } = documents;
  const was = context.before.securitySchemes;
  const is = context.after.securitySchemes;
  for (const [name, before] of was) {
    const after = is.get(name);
    if (after !== undefined) {
      const scheme = documents.within(`security scheme ${name}`, { before, after });
      scheme.documentation(DOCUMENTATION_KEYWORDS.securityScheme);
      compareScopes(scheme);
      continue;
    }
    const isEqual = (other: string) =>
      schemeKey(context.before, name) === schemeKey(context.after, other) &&
      canonical(flowsOf(before.node)) === canonical(flowsOf(is.get(other)?.node));
    const newName = [...is.keys()].find((each) => !was.has(each) && isEqual(each));
    if (newName === undefined) continue;
    const message = change('security-scheme-renamed', { name, newName });
    documents.report(message, '', { before, after: is.get(newName)! });
  }
}

/** Compares the scopes that the flows of a scheme offer. Operations compare the scopes they require. */
function compareScopes(scheme: ComparedPart): void {
  const [was, is] = [flowsOf(scheme.before.node), flowsOf(scheme.after.node)];
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
    const isDescribed = Object.keys(now).some((each) => each in old && old[each] !== now[each]);
    if (isDescribed) {
      const keyword = `the scopes of ${flow}`;
      scheme.report(change('documentation-changed', { keyword }), 'flows');
    }
  }
}
