// Seventh blind set: edits of one contract whose components are used in both directions. Written without the code of the diff.
import type { ContractRow } from '../pair.ts';

const STAYS = `openapi: 3.1.0
info: {title: Stays, version: 2.3.0}
servers: [{url: https://api.stays.test/v2}]
security: [{oauth: [read]}, {key: []}]
paths:
  /stays:
    parameters:
      - {$ref: '#/components/parameters/Tenant'}
    get:
      operationId: listStays
      tags: [stays]
      parameters:
        - {name: status, in: query, explode: false, schema: {type: array, items: {$ref: '#/components/schemas/Status'}}}
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100, default: 20}}
      responses:
        '200':
          description: A page of stays.
          headers: {X-Total: {schema: {type: integer, minimum: 0}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/StayPage'}}}
        default: {$ref: '#/components/responses/Failed'}
    post:
      operationId: createStay
      tags: [stays]
      security: [{oauth: [write]}]
      requestBody: {$ref: '#/components/requestBodies/NewStay'}
      responses:
        '201':
          description: The stay.
          headers: {Location: {required: true, schema: {type: string, format: uri-reference}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Stay'}}}
        '409': {$ref: '#/components/responses/Failed'}
        default: {$ref: '#/components/responses/Failed'}
  /stays/{stayId}:
    parameters:
      - {name: stayId, in: path, required: true, schema: {type: string, format: uuid}}
    patch:
      operationId: changeStay
      tags: [stays]
      security: [{oauth: [write]}]
      requestBody:
        required: true
        content: {application/merge-patch+json: {schema: {$ref: '#/components/schemas/StayPatch'}}}
      responses:
        '200':
          description: The stay.
          content: {application/json: {schema: {$ref: '#/components/schemas/Stay'}}}
        default: {$ref: '#/components/responses/Failed'}
    delete:
      operationId: cancelStay
      tags: [stays]
      responses:
        '204': {description: The stay is cancelled.}
        default: {$ref: '#/components/responses/Failed'}
components:
  parameters:
    Tenant: {name: X-Tenant, in: header, schema: {type: string, pattern: '^[a-z0-9-]+$'}}
  requestBodies:
    NewStay:
      required: true
      content: {application/json: {schema: {$ref: '#/components/schemas/Stay'}}}
  responses:
    Failed:
      description: The request failed.
      content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
  schemas:
    Status: {type: string, enum: [held, booked, cancelled]}
    Money:
      type: object
      properties: {amount: {type: integer, format: int64}, currency: {type: string, pattern: '^[A-Z]{3}$'}}
      required: [amount, currency]
    Guest:
      type: object
      properties: {name: {type: string, minLength: 1}, email: {type: string, format: email}}
      required: [name]
    Stay:
      type: object
      properties:
        id: {type: string, format: uuid, readOnly: true}
        status: {$ref: '#/components/schemas/Status'}
        guests: {type: array, minItems: 1, items: {$ref: '#/components/schemas/Guest'}}
        total: {readOnly: true, allOf: [{$ref: '#/components/schemas/Money'}]}
        note: {type: [string, 'null'], maxLength: 500}
        card: {type: string, writeOnly: true}
      required: [id, guests, total]
    StayPage:
      type: object
      properties:
        data: {type: array, items: {$ref: '#/components/schemas/Stay'}}
        next: {type: string, format: uri}
      required: [data]
    StayPatch:
      type: object
      properties: {status: {type: string, enum: [cancelled]}, note: {type: [string, 'null'], maxLength: 500}}
    Problem:
      type: object
      properties: {type: {type: string, format: uri}, title: {type: string}, status: {type: integer}}
      required: [title]
  securitySchemes:
    oauth:
      type: oauth2
      flows:
        clientCredentials: {tokenUrl: https://auth.stays.test/token, scopes: {read: Reads, write: Writes}}
    key: {type: apiKey, in: header, name: X-Key}
`;

/** @param edits what is replaced everywhere by what */
function edited(...edits: readonly (readonly [string, string])[]): string {
  return edits.reduce((text, [before, after]) => {
    if (!text.includes(before)) throw new Error(`${before} is not in the contract`);
    return text.replaceAll(before, () => after);
  }, STAYS);
}

/** Labels are those of the edit and of its reverse. */
function row(
  what: string,
  labels: string,
  why: string,
  ...edits: readonly (readonly [string, string])[]
): ContractRow {
  return [`stays: ${what}`, STAYS, edited(...edits), labels, why];
}

const STATUS = "{$ref: '#/components/schemas/Status'}";
const MONEY =
  "{type: object, properties: {amount: {type: integer, format: int64}, currency: {type: string, pattern: '^[A-Z]{3}$'}}, required: [amount, currency]}";
const MONEY_COMPONENT = `    Money:
      type: object
      properties: {amount: {type: integer, format: int64}, currency: {type: string, pattern: '^[A-Z]{3}$'}}
      required: [amount, currency]
`;
const FAILED = "default: {$ref: '#/components/responses/Failed'}";

// biome-ignore format: a table
export const SEVENTH_WHOLE_ROWS: readonly ContractRow[] = [
  row('a further status', 'BB', 'Replies have it; in the reverse requests may not.', ['[held, booked, cancelled]', '[held, booked, cancelled, expired]']),
  row('a status of queries written out', 'CC', 'The same values.', [`items: ${STATUS}`, 'items: {type: string, enum: [held, booked, cancelled]}']),
  row('a further status of queries', 'CB', 'Only queries have it; in the reverse it is refused.', [`items: ${STATUS}`, 'items: {type: string, enum: [held, booked, cancelled, expired]}']),
  row('statuses in separate parameters', 'BB', 'status=held,booked or status=held&status=booked.', ['explode: false', 'explode: true']),
  row('known currencies of a total', 'CB', 'Only replies have a total.', ["pattern: '^[A-Z]{3}$'", 'enum: [EUR, USD]']),
  row('a tax of a total', 'CB', 'Only replies have it; in the reverse clients read it.', ['properties: {amount: {type: integer, format: int64}', 'properties: {tax: {type: integer}, amount: {type: integer, format: int64}'], ['[amount, currency]', '[amount, currency, tax]']),
  row('a guest with a required address', 'BB', 'Requests need it; in the reverse replies may lack it.', ['required: [name]', 'required: [name, email]']),
  row('a guest with a phone number', 'CB', 'In the reverse clients read it.', ['format: email}', 'format: email}, phone: {type: string}']),
  row('a guest with a closed schema', 'BB', 'Other properties are refused; in the reverse they come.', ['required: [name]', 'required: [name]\n      additionalProperties: false']),
  row('a longer note', 'BB', 'Replies have 501 characters; in the reverse requests may not.', ["note: {type: [string, 'null'], maxLength: 500}\n", "note: {type: [string, 'null'], maxLength: 1000}\n"]),
  row('a longer note in patches', 'CB', 'Only patches have it.', ["note: {type: [string, 'null'], maxLength: 500}}", "note: {type: [string, 'null'], maxLength: 1000}}"]),
  row('a shorter number of a card', 'BC', 'Only requests have it.', ['card: {type: string, writeOnly: true}', 'card: {type: string, writeOnly: true, maxLength: 19}']),
  row('ids of any form', 'BC', 'Only replies have it.', ['id: {type: string, format: uuid, readOnly: true}', 'id: {type: string, readOnly: true}']),
  row('nights that the service counts', 'CB', 'Only replies have it; in the reverse clients read it.', ['        card:', '        nights: {type: integer, readOnly: true}\n        card:'], ['[id, guests, total]', '[id, guests, total, nights]']),
  row('at most ten guests', 'BB', 'Eleven are refused; in the reverse they come.', ['minItems: 1', 'minItems: 1, maxItems: 10']),
  row('the default size of a page', 'BB', 'A page has another length if it is omitted.', ['default: 20', 'default: 50']),
  row('the largest page', 'CB', '101 is refused in the reverse.', ['maximum: 100', 'maximum: 500']),
  row('a problem with details', 'CB', 'In the reverse clients read it.', ['status: {type: integer}', 'status: {type: integer}, detail: {type: string}']),
  row('a problem without its type', 'BC', 'Clients read it.', ['type: {type: string, format: uri}, ', '']),
  row('a problem as JSON', 'BB', 'Another media type.', ['application/problem+json', 'application/json']),
  row('a location that may lack', 'BC', 'Clients follow it.', ['{Location: {required: true, schema', '{Location: {schema']),
  row('a total in the header that is always sent', 'CB', 'In the reverse it may lack.', ['{X-Total: {schema', '{X-Total: {required: true, schema']),
  row('a key that creates stays', 'CB', 'In the reverse a key is refused.', ['security: [{oauth: [write]}]', 'security: [{oauth: [write]}, {key: []}]']),
  row('a key that is no longer accepted', 'BC', 'Clients with a key are refused.', ['[{oauth: [read]}, {key: []}]', '[{oauth: [read]}]']),
  row('a tenant that every request names', 'BC', 'Requests without it are refused.', ['in: header, schema: {type: string, pattern', 'in: header, required: true, schema: {type: string, pattern']),
  row('a tenant in other capitals', 'CC', 'Header names are case-insensitive.', ['X-Tenant', 'x-tenant']),
  row('patches in JSON too', 'CB', 'In the reverse JSON is refused.', ["{application/merge-patch+json: {schema: {$ref: '#/components/schemas/StayPatch'}}}", "{application/merge-patch+json: {schema: {$ref: '#/components/schemas/StayPatch'}}, application/json: {schema: {$ref: '#/components/schemas/StayPatch'}}}"]),
  row('patches that change something', 'BC', 'An empty patch is refused.', ['    StayPatch:\n', '    StayPatch:\n      minProperties: 1\n']),
  row('patches without other properties', 'BC', 'Other properties are refused.', ['    StayPatch:\n', '    StayPatch:\n      additionalProperties: false\n']),
  row('a cancellation that is accepted', 'RB', 'A new status; in the reverse it is gone.', ["        '204': {", "        '202': {description: The stay will be cancelled.}\n        '204': {"]),
  row('not found in words', 'CC', 'The default declared it.', [`        '204': {description: The stay is cancelled.}\n        ${FAILED}`, `        '204': {description: The stay is cancelled.}\n        '404': {$ref: '#/components/responses/Failed'}\n        ${FAILED}`]),
  row('conflict not in words', 'CC', 'The default declares it.', ["        '409': {$ref: '#/components/responses/Failed'}\n", '']),
  row('money without a component', 'RC', 'The same total; SDKs lose a type.', [MONEY_COMPONENT, ''], ["[{$ref: '#/components/schemas/Money'}]", `[${MONEY}]`]),
  row('a total by its reference alone', 'CC', 'The same total.', ["{readOnly: true, allOf: [{$ref: '#/components/schemas/Money'}]}", "{readOnly: true, $ref: '#/components/schemas/Money'}"]),
  row('guests under another name', 'RR', 'SDKs have another type.', ['    Guest:', '    Person:'], ['schemas/Guest', 'schemas/Person']),
  row('an id of a path under another name', 'RR', 'The same paths; SDKs have another argument.', ['stayId', 'id']),
  row('an id of a path in other letters', 'CB', 'Any text; in the reverse it is refused.', ['name: stayId, in: path, required: true, schema: {type: string, format: uuid}', 'name: stayId, in: path, required: true, schema: {type: string}']),
  row('another base path', 'BB', 'Clients call v2.', ['stays.test/v2', 'stays.test/v3']),
  row('a second base path', 'CB', 'Clients of the reverse call v3.', ['[{url: https://api.stays.test/v2}]', '[{url: https://api.stays.test/v2}, {url: https://api.stays.test/v3}]']),
  row('other documentation', 'CC', 'Documentation.', ['A page of stays.', 'Stays by date.'], ['read: Reads, write: Writes', 'read: Read stays, write: Change stays'], ['The request failed.', 'See the problem.']),
  row('OpenAPI 3.0', 'CC', 'The same messages.', ['openapi: 3.1.0', 'openapi: 3.0.3'], ["type: [string, 'null']", 'type: string, nullable: true']),
  row('OpenAPI 3.2', 'CC', 'The same messages.', ['openapi: 3.1.0', 'openapi: 3.2.0']),
  row('OpenAPI 3.0 with a note that is never null', 'BB', 'Requests with null are refused; in the reverse replies have it.', ['openapi: 3.1.0', 'openapi: 3.0.3'], ["type: [string, 'null']", 'type: string']),
  row('new stays without a component of their body', 'CC', 'The same body.', ["      requestBody: {$ref: '#/components/requestBodies/NewStay'}", "      requestBody:\n        required: true\n        content: {application/json: {schema: {$ref: '#/components/schemas/Stay'}}}"]),
  row('new stays that may lack a body', 'CB', 'In the reverse a request without it is refused.', ['    NewStay:\n      required: true', '    NewStay:\n      required: false']),
  row('a page in parts', 'CC', 'The same pages.', ['    StayPage:\n      type: object\n', '    StayPage:\n      allOf: [{type: object}, {required: [data]}]\n      type: object\n']),
  row('a page that repeats its address', 'CB', 'In the reverse clients read it.', ['        next: {type: string, format: uri}', '        self: {type: string, format: uri}\n        next: {type: string, format: uri}']),
  row('a next page as a relative address', 'BC', 'A relative address comes.', ['next: {type: string, format: uri}', 'next: {type: string, format: uri-reference}']),
  row('token address', 'BB', 'Clients fetch tokens at the old address.', ['auth.stays.test', 'login.stays.test']),
  row('a list that is deprecated', 'CC', 'An announcement.', ['      operationId: listStays', '      deprecated: true\n      operationId: listStays']),
];
