// Compares security requirements and security schemes.
import type { Definition, Operation } from 'stubwright/internal/document/definition';
import { type Context, type Location, within } from './context.ts';
import { canonical } from './formatting.ts';

type Requirement = Readonly<Record<string, readonly string[]>>;

/** A security requirement, keyed by scheme definition instead of scheme name. */
interface ResolvedRequirement {
  readonly text: string;
  /** Scheme definition to required scopes. */
  readonly schemes: ReadonlyMap<string, readonly string[]>;
}

const DOCUMENTATION_KEYWORDS = new Set(['description', 'bearerFormat']);

export function compareSecurity(
  context: Context,
  location: Location,
  before: Operation,
  after: Operation,
): void {
  const was = resolveRequirements(context.before, before.security);
  const is = resolveRequirements(context.after, after.security);
  const at = [pointerOf(context.before, before), pointerOf(context.after, after)] as const;
  const inside = within(location, 'security');
  for (const one of was) {
    if (is.some((other) => suffices(one, other))) continue;
    const what = `${one.text} no longer suffices`;
    const effect = `Clients that call with ${one.text} are refused.`;
    const rule = 'security-requirement-removed';
    context.report(inside, { rule, severity: 'breaking', what, effect }, ...at);
  }
  for (const one of is) {
    if (was.some((other) => suffices(one, other))) continue;
    const effect = `Clients may call with ${one.text}.`;
    const what = `${one.text} suffices`;
    const rule = 'security-requirement-added';
    context.report(inside, { rule, severity: 'compatible', what, effect }, ...at);
  }
}

/** @returns whether credentials that satisfy `one` satisfy `other` */
function suffices(one: ResolvedRequirement, other: ResolvedRequirement): boolean {
  return [...other.schemes].every(([scheme, scopes]) => {
    const granted = one.schemes.get(scheme);
    return granted !== undefined && scopes.every((scope) => granted.includes(scope));
  });
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
      schemes: new Map(entries.map(([name, scopes]) => [schemeKey(definition, name), scopes])),
    };
  });
}

/** @returns `bearerAuth (http bearer)`, with the required scopes */
function nameOf(definition: Definition, name: string, scopes: readonly string[]): string {
  const { type, scheme, in: where, name: key } = definition.securitySchemes.get(name)?.node ?? {};
  const kind = [type, scheme, where, key]
    .filter((keyword) => typeof keyword === 'string')
    .join(' ');
  return `${name} (${[kind, ...scopes].join(', ')})`;
}

/** The definition of a scheme without documentation and scopes: requirements compare the scopes. */
function schemeKey(definition: Definition, name: string): string {
  const node = definition.securitySchemes.get(name)?.node ?? {};
  const entries = Object.entries(node).filter(
    ([keyword]) => !DOCUMENTATION_KEYWORDS.has(keyword) && !/^x-/.test(keyword),
  );
  return canonical(
    Object.fromEntries(entries.map(([keyword, value]) => [keyword, withoutScopes(keyword, value)])),
  );
}

function withoutScopes(keyword: string, value: unknown): unknown {
  if (keyword === 'scheme') return String(value).toLowerCase();
  if (keyword !== 'flows') return value;
  const flows = Object.entries(value as Record<string, Record<string, unknown>>);
  return Object.fromEntries(flows.map(([flow, { scopes: _, ...rest }]) => [flow, rest]));
}

function pointerOf({ document }: Definition, { location }: Operation): string {
  if (location.node.security !== undefined) return `${location.pointer}/security`;
  return document.security === undefined ? location.pointer : '/security';
}

/** Reports renamed schemes: SDKs configure credentials by the name. */
export function compareSchemes(context: Context, location: Location): void {
  const was = context.before.securitySchemes;
  const is = context.after.securitySchemes;
  for (const [name, { pointer, node }] of was) {
    const other = is.get(name);
    if (other !== undefined) {
      const pair = { before: { pointer, node }, after: other };
      context.documentation(within(location, `security scheme ${name}`), pair, [
        ...DOCUMENTATION_KEYWORDS,
      ]);
      continue;
    }
    const text = schemeKey(context.before, name);
    const renamed = [...is.keys()].find(
      (each) => !was.has(each) && schemeKey(context.after, each) === text,
    );
    if (renamed === undefined) continue;
    const what = `the security scheme ${name} became ${renamed}`;
    const effect = 'Requests are unchanged; SDKs configure credentials under the new name.';
    context.report(
      location,
      { rule: 'security-scheme-renamed', severity: 'risky', what, effect },
      pointer,
      is.get(renamed)!.pointer,
    );
  }
}
