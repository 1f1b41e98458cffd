// A value that a contract describes by a schema and examples.
import { type Schema, SchemaModel } from '../schema/model.ts';
import { ContractObject, locationOf } from './contractObject.ts';
import { type Example, namedExample, plainExample } from './example.ts';

/** A Parameter, Header or Media Type Object. */
export class DescribedValue extends ContractObject {
  #examples: readonly Example[] | undefined;
  #schema: Schema | undefined;

  /** The schema of the value; undefined if any value is valid. */
  get schema(): Schema | undefined {
    this.#schema ??= this.schemaIn('schema');
    return this.#schema;
  }

  /** `schema` and `itemSchema`, those that are declared. */
  get schemas(): readonly Schema[] {
    return [this.schema, this.schemaIn('itemSchema')].filter((each) => each !== undefined);
  }

  /** The value of `example`, then the entries of `examples`. */
  get examples(): readonly Example[] {
    this.#examples ??= this.#readExamples();
    return this.#examples;
  }

  /** @returns the entry of `examples` with this name */
  example(name: string): Example | undefined {
    return this.examples.find((each) => each.name === name);
  }

  /** @returns the schema of a field */
  protected schemaIn(name: string): Schema | undefined {
    if (this.node[name] === undefined) return undefined;
    return SchemaModel.of(this.contract).at(`${this.pointer}/${name}`);
  }

  #readExamples(): Example[] {
    const { pointer, node } = this;
    const single = 'example' in node ? [plainExample(`${pointer}/example`, node['example'])] : [];
    const named = this.contract.children(locationOf(this), 'examples');
    return [...single, ...Array.from(named, ([name, each]) => namedExample(name, each))];
  }
}
