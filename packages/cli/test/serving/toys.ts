// A contract before and after an upgrade with each kind of change that needs a converter.
import {
  body,
  ERROR,
  INT64_ID,
  lines,
  list,
  newerParts,
  olderParts,
  reply,
} from '../../../versions/test/upgradeTexts.ts';

/** What differs between the versions, as YAML; `toy` and `newToy` are properties besides the id. */
const OLDER_PARTS = {
  ...olderParts('Toy'),
  components: 'State: {type: string, enum: [alive, dead]}',
  toyRequires: 'name, state',
  toy: `name: {type: string}
        tag: {type: string}`,
  newToyRequires: 'name',
  newToy: 'name: {type: string}',
};

const NEWER_PARTS: typeof OLDER_PARTS = {
  ...newerParts('Toy'),
  components: `State: {type: string, enum: [alive, dormant, dead]}
    Names: {type: object, required: [common], properties: {common: {type: string}}}`,
  toyRequires: 'names, tags, state',
  toy: `names: {$ref: '#/components/schemas/Names'}
        tags: {type: array, items: {type: string}}`,
  newToyRequires: 'names',
  newToy: "names: {$ref: '#/components/schemas/Names'}",
};

function toysContract(is: typeof OLDER_PARTS): string {
  return `
openapi: 3.1.0
info: {title: Toys, version: ${is.version}}
paths:
  /toys:
    get:
      operationId: listToys
      parameters:
        - {name: limit, in: query, schema: {type: integer, maximum: ${is.limit}}}
      responses:
        ${list('toys', 'Toy')}
    post:
      operationId: createToy
      ${body('NewToy')}
      responses:
        ${reply(200, 'Toy')}
        ${reply(404, 'Error')}${is.refusals}
        ${reply(409, 'Error')}
  /toys/{id}:${is.removal}
    get:
      operationId: getToy
      parameters: [${INT64_ID}${is.locale}]
      responses:
        ${reply(200, 'Toy')}
        ${reply(404, 'Error')}
  /toys/count:
    get:
      operationId: countToys
      responses:
        ${is.count}
  /events:
    get:
      operationId: watchToys
      responses:
        ${lines(is.kinds)}
components:
  schemas:
    ${is.components}
    Toy:
      type: object
      required: [id, ${is.toyRequires}]
      properties:
        id: {type: integer, format: int64}
        ${is.toy}
        state: {$ref: '#/components/schemas/State'}
    NewToy:
      type: object
      required: [id, ${is.newToyRequires}]
      properties:
        id: {type: integer, format: int64}
        ${is.newToy}
        note: {type: string, maxLength: ${is.note}}
${ERROR}
`;
}

export const OLDER = toysContract(OLDER_PARTS);
export const NEWER = toysContract(NEWER_PARTS);

/** The converters, one member a line: a test replaces or removes lines. */
export const CONVERTERS = `{
  schemas: {
    State: { toOld: (state) => (state === 'dormant' ? 'dead' : state) },
    Toy: {
      toOld: ({ id, names, tags: [tag], state }) => ({ id, name: names.common, state, ...(tag !== undefined && { tag }) }),
    },
    NewToy: {
      toNew: ({ name, note, ...rest }) => ({ ...rest, names: { common: name }, ...(note !== undefined && { note: note.slice(0, 50) }) }),
    },
  },
  operations: {
    listToys: { request: ({ query }) => ({ query: { ...query, limit: Math.min(query.limit ?? 50, 50) } }) },
    getToy: { request: ({ query }) => ({ query: { ...query, locale: 'en' } }) },
    countToys: {
      reply: ({ body }) => ({ status: 200, body: { count: body.total } }),
    },
    deleteToy: {
      call: async ({ path }, { updateToy }) => {
        const { status } = await updateToy({ path, body: { isDeleted: true } });
        return status === 404 ? { status, body: { error: 40400, message: 'none' } } : { status: 204 };
      },
    },
    watchToys: { item: (event) => (event.kind === 'changed' ? undefined : { ...event, kind: event.kind }) },
  },
  statuses: { 410: 404 },
}`;
