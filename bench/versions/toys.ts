// A contract with ten older versions: each upgrade renames a property, and the next one renames it back.

/** The number of older versions. */
export const DEPTH = 10;

export type Toy = Record<string, unknown>;

export function contract(version: number): string {
  return `
components:
  schemas:
    Toy:
      type: object
      required: [id, ${propertyOf(version)}, price, maker]
      properties:
        id: {type: integer, format: int64}
        ${propertyOf(version)}: {type: string, minLength: 1, maxLength: 100}
        price: {type: number, minimum: 0}
        tags: {type: array, items: {type: string, maxLength: 20}, maxItems: 20}
        maker: {type: object, required: [name, country], properties: {name: {type: string}, country: {type: string, pattern: '^[A-Z]{2}$'}}}
paths:
  /toys:
    post:
      operationId: storeToy
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}}
    get:
      operationId: listToys
      responses: {200: {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Toy'}}}}}}
`;
}

const nameToTitle = ({ name, ...rest }: Toy) => ({ ...rest, title: name });
const titleToName = ({ title, ...rest }: Toy) => ({ ...rest, name: title });
const NAMED = { schemas: { Toy: { toNew: nameToTitle, toOld: titleToName } } };
const TITLED = { schemas: { Toy: { toNew: titleToName, toOld: nameToTitle } } };

/** From a version to the next one. */
export function convertersOf(version: number) {
  return version % 2 === 0 ? NAMED : TITLED;
}

function propertyOf(version: number): string {
  return version % 2 === 0 ? 'name' : 'title';
}

export function toyOf(version: number, id = 1n): Toy {
  return {
    ...{ id, [propertyOf(version)]: 'Teddy bear', price: 9.5, tags: ['soft', 'brown'] },
    maker: { name: 'Steiff', country: 'DE' },
  };
}

const toys = Array.from({ length: 100 }, (_, at) => toyOf(DEPTH, BigInt(at)));

export const handlers = {
  storeToy: ({ body }: { body: Toy }) => ({ status: 200, body }),
  listToys: () => ({ status: 200, body: toys }),
};

/** The request of a version. @param depth versions between it and the current contract */
export function requestOf(method: 'GET' | 'POST', depth: number) {
  const version = DEPTH - depth;
  const url = `${depth === 0 ? '' : `/v${version + 1}`}/toys`;
  return {
    method,
    url,
    text: method === 'POST' ? JSON.stringify({ ...toyOf(version), id: 1 }) : '',
  };
}
