// What the pages of an operation need, read from its contract once.
import {
  type Contract,
  type Operation,
  type PageRules,
  pageRulesOf,
  stringifyJson,
  tokensOf,
} from '@stubwright/contract';

export interface PagePlan extends PageRules {
  readonly operationId: string;
  /** The query parameter that selects a page. */
  readonly parameter: string;
  readonly items: readonly string[];
  readonly next: readonly string[] | undefined;
  readonly more: readonly string[] | undefined;
  /** The defaults of query parameters as JSON, by name. */
  readonly defaults: ReadonlyMap<string, string>;
  /** The query parameters of security schemes. */
  readonly credentials: ReadonlySet<string>;
}

const PLANS = new WeakMap<Operation, PagePlan>();

/** @throws {TypeError} for an operation whose `x-pagination` does not name a query parameter */
export function pagePlanOf(operation: Operation, definition: Contract): PagePlan {
  const known = PLANS.get(operation);
  if (known !== undefined) return known;
  const { operationId } = operation;
  const rules = pageRulesOf(operation);
  const parameter = rules?.pagination.parameter;
  if (rules === undefined || parameter === undefined) {
    throw new TypeError(`${operationId}: expected x-pagination with a query parameter`);
  }
  const { items, next, more } = rules.pagination;
  const plan: PagePlan = {
    ...{ ...rules, operationId, parameter, items: tokensOf(items) },
    next: next === undefined ? undefined : tokensOf(next),
    more: more === undefined ? undefined : tokensOf(more),
    defaults: defaultsOf(operation),
    credentials: credentialsOf(definition),
  };
  PLANS.set(operation, plan);
  return plan;
}

function defaultsOf({ parameters }: Operation): ReadonlyMap<string, string> {
  const ofQuery = parameters.filter((each) => each.in === 'query');
  return new Map(
    ofQuery.flatMap(({ name, schema }) => {
      const written = schema?.conjuncts.findLast((each) => each.keywords.default !== undefined);
      return written === undefined ? [] : [[name, stringifyJson(written.keywords.default)]];
    }),
  );
}

function credentialsOf({ securitySchemes }: Contract): ReadonlySet<string> {
  const schemes = [...securitySchemes.values()];
  return new Set(
    schemes.filter((each) => each.type === 'apiKey' && each.in === 'query').map(({ name }) => name),
  );
}
