// The parameters of one operation: those that it declares, and none else in the query.
import type { Operation } from './definition.ts';
import type { Exchange } from './exchange.ts';

export class Parameters {
  readonly #queryNames: ReadonlySet<string>;

  constructor({ parameters }: Operation) {
    const inQuery = parameters.filter(({ node }) => node.in === 'query');
    this.#queryNames = new Set(inQuery.map(({ node }) => node.name));
  }

  /** @returns what is wrong with the request's parameters, told for its sender */
  faultsOf(exchange: Exchange): string[] {
    if (exchange.queryText === '') return [];
    const names = new Set(exchange.searchParams.keys());
    return [...names]
      .filter((name) => !this.#queryNames.has(name))
      .map((name) => `query parameter ${name} is not declared`);
  }

  /** @returns the parameters by where they stand, as the handler gets them */
  valuesOf(_exchange: Exchange) {
    return { path: {}, query: {}, header: {}, cookie: {} };
  }
}
