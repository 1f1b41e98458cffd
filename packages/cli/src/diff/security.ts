// Who may call an operation, in two contracts: requirements, any one of which suffices, and the schemes
// that they name.
import type { Definition, Operation } from '../../../stubwright/src/document/definition.ts';
import { type Context, type Site, within } from './context.ts';
import { canonical } from './words.ts';

type Requirement = Readonly<Record<string, readonly string[]>>;

/** A requirement by what its schemes are, whatever they are called. */
interface Needed {
  readonly text: string;
  /** Definition of the scheme -> scopes. */
  readonly schemes: ReadonlyMap<string, readonly string[]>;
}

/** What only people read of a scheme. */
const READ = new Set(['description', 'bearerFormat']);

export function compareSecurity(
  context: Context,
  site: Site,
  before: Operation,
  after: Operation,
): void {
  const was = neededBy(context.before, before.security);
  const is = neededBy(context.after, after.security);
  const at = [pointerOf(context.before, before), pointerOf(context.after, after)] as const;
  const inside = within(site, 'security');
  for (const one of was) {
    if (is.some((other) => suffices(one, other))) continue;
    const what = `${one.text} no longer suffices`;
    const effect = `Clients that call with ${one.text} are refused.`;
    context.tell(inside, { verdict: 'breaking', what, effect }, ...at);
  }
  for (const one of is) {
    if (was.some((other) => suffices(one, other))) continue;
    const effect = `Clients may call with ${one.text}.`;
    context.tell(inside, { verdict: 'compatible', what: `${one.text} suffices`, effect }, ...at);
  }
}

/** @returns whether who brings what `one` needs brings what `other` needs */
function suffices(one: Needed, other: Needed): boolean {
  return [...other.schemes].every(([scheme, scopes]) => {
    const brought = one.schemes.get(scheme);
    return brought !== undefined && scopes.every((scope) => brought.includes(scope));
  });
}

/** No requirement at all is one that needs nothing. */
function neededBy(definition: Definition, security: readonly Requirement[]): Needed[] {
  const requirements: readonly Requirement[] = security.length === 0 ? [{}] : security;
  return requirements.map((requirement) => {
    const entries = Object.entries(requirement);
    const texts = entries.map(([name, scopes]) => nameOf(definition, name, scopes));
    return {
      text: texts.join(' and ') || 'no credentials',
      schemes: new Map(entries.map(([name, scopes]) => [schemeText(definition, name), scopes])),
    };
  });
}

/** `bearerAuth (http bearer)`, with the scopes that are needed. */
function nameOf(definition: Definition, name: string, scopes: readonly string[]): string {
  const { type, scheme, in: where, name: key } = definition.securitySchemes.get(name)?.node ?? {};
  const kind = [type, scheme, where, key].filter((word) => typeof word === 'string').join(' ');
  return `${name} (${[kind, ...scopes].join(', ')})`;
}

/** What a client must know of a scheme, as text. Scopes count where they are required. */
function schemeText(definition: Definition, name: string): string {
  const node = definition.securitySchemes.get(name)?.node ?? {};
  const entries = Object.entries(node).filter(([word]) => !READ.has(word) && !/^x-/.test(word));
  return canonical(Object.fromEntries(entries.map(([word, value]) => [word, bare(word, value)])));
}

function bare(word: string, value: unknown): unknown {
  if (word === 'scheme') return String(value).toLowerCase();
  if (word !== 'flows') return value;
  const flows = Object.entries(value as Record<string, Record<string, unknown>>);
  return Object.fromEntries(flows.map(([flow, { scopes: _, ...rest }]) => [flow, rest]));
}

function pointerOf({ document }: Definition, { place }: Operation): string {
  if (place.node.security !== undefined) return `${place.pointer}/security`;
  return document.security === undefined ? place.pointer : '/security';
}

/** Tells of schemes that another name stands for: SDKs configure credentials by it. */
export function compareSchemes(context: Context, site: Site): void {
  const was = context.before.securitySchemes;
  const is = context.after.securitySchemes;
  for (const [name, { pointer, node }] of was) {
    const other = is.get(name);
    if (other !== undefined) {
      const pair = { before: { pointer, node }, after: other };
      context.documentation(within(site, `security scheme ${name}`), pair, [...READ]);
      continue;
    }
    const text = schemeText(context.before, name);
    const renamed = [...is.keys()].find(
      (each) => !was.has(each) && schemeText(context.after, each) === text,
    );
    if (renamed === undefined) continue;
    const what = `the security scheme ${name} became ${renamed}`;
    const effect = 'The request stays; an SDK takes its credentials under the new name.';
    context.tell(site, { verdict: 'risky', what, effect }, pointer, is.get(renamed)!.pointer);
  }
}
