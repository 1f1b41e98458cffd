// Embeds the copies of remote schemas in a contract, as resources with an `$id` (JSON Schema 2020-12, section 9.3).
import { isObject, type Node, outsideReferences } from '@stubwright/contract';

/** Fields of an OpenAPI document or of a part of one: Redocly reads it as a file. */
const DOCUMENT_FIELDS = ['openapi', 'swagger', 'components', 'paths'];

/**
 * Modifies a contract of OpenAPI 3.1 or later: components have the schemas that its references lead to by
 * address. References to them may be relative to an `$id`, and lead to anchors.
 *
 * @param read the copy of an address; undefined without one
 */
export async function embedRemotes(
  contract: Node,
  read: (address: string) => Promise<unknown>,
): Promise<void> {
  const known = new Set<string>();
  for (;;) {
    const addresses = outsideReferences(contract).filter((each) => !known.has(each));
    if (addresses.length === 0) return;
    for (const address of addresses) {
      known.add(address);
      const copy = await read(address);
      if (isSchema(copy)) add(contract, address, copy);
    }
  }
}

function isSchema(copy: unknown): copy is Node | boolean {
  if (typeof copy === 'boolean') return true;
  return isObject(copy) && !DOCUMENT_FIELDS.some((field) => Object.hasOwn(copy, field));
}

/** A document may have another URI than its address. */
function add(contract: Node, address: string, copy: Node | boolean): void {
  const schema = typeof copy === 'boolean' ? { allOf: [copy] } : copy;
  const id = URL.parse(String(schema['$id'] ?? ''), address)?.href.replace(/#$/, '');
  const name = nameOf(address);
  addSchema(contract, name, { ...schema, $id: id ?? address });
  if (id !== undefined && id !== address) addSchema(contract, name, { $id: address, $ref: id });
}

function addSchema(contract: Node, name: string, schema: Node): void {
  contract.components ??= {};
  contract.components.schemas ??= {};
  let free = name;
  for (let at = 2; Object.hasOwn(contract.components.schemas, free); at++) free = `${name}_${at}`;
  contract.components.schemas[free] = schema;
}

/** `https://toys.example/schemas/toy.json` -> `toy` */
function nameOf(address: string): string {
  const [last = ''] = address.split(/[/:]/).filter(Boolean).slice(-1);
  return last.replace(/\.(?:json|ya?ml)$/i, '').replace(/[^\w.-]+/g, '_') || 'remote';
}
