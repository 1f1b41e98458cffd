// One operation in two contracts.
import type { Operation } from '../../../stubwright/src/document/definition.ts';
import { compareRequestBody } from './content.ts';
import { type Context, type Pair, pointerTo, type Site } from './context.ts';
import { compareParameters } from './parameters.ts';
import { compareResponses } from './responses.ts';
import { compareSecurity } from './security.ts';
import { compareCallbacks } from './webhooks.ts';
import { became, canonical, without } from './words.ts';

const READ = ['summary', 'description', 'externalDocs', 'deprecated'];

/** @returns how people call an operation: `POST /toys` */
export function titleOf({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

export function compareOperation(context: Context, before: Operation, after: Operation): void {
  const site: Site = { operation: titleOf(after), part: '', direction: 'request' };
  const pair = { before: before.place, after: after.place };
  compareNames(context, site, pair);
  compareBasePaths(context, site, before, after);
  compareSecurity(context, site, before, after);
  compareParameters(context, site, before, after);
  compareRequestBody(context, site, before, after);
  compareResponses(context, site, before, after);
  compareCallbacks(context, site, pair);
  context.documentation(site, pair, READ);
}

/** What SDKs name their methods and classes after. */
function compareNames(context: Context, site: Site, { before, after }: Pair): void {
  const [was, is] = [before.node.operationId, after.node.operationId];
  const at = [pointerTo(before, 'operationId'), pointerTo(after, 'operationId')] as const;
  if (was !== is) {
    const what = became('operationId', was, is);
    context.tell(
      site,
      was === undefined
        ? { verdict: 'risky', what, effect: 'An SDK that made up a name takes this one instead.' }
        : { verdict: 'breaking', what, effect: `SDKs lose their method ${was}.` },
      ...at,
    );
  }
  if (canonical(before.node.tags) === canonical(after.node.tags)) return;
  const what = became('tags', before.node.tags, after.node.tags);
  const effect = 'SDKs that group methods by tag move the method to another class.';
  const tags = [pointerTo(before, 'tags'), pointerTo(after, 'tags')] as const;
  context.tell(site, { verdict: 'risky', what, effect }, ...tags);
}

function compareBasePaths(context: Context, site: Site, before: Operation, after: Operation): void {
  const shown = (path: string) => (path === '' ? '/' : path);
  for (const path of without(before.basePaths, after.basePaths)) {
    const what = `the base path ${shown(path)} became ${after.basePaths.map(shown).join(', ')}`;
    const effect = 'Every request of older clients goes to a place where nobody answers.';
    context.tell(site, { verdict: 'breaking', what, effect }, '/servers', '/servers');
  }
}
