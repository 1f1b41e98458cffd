// Eighth blind set: edits of two contracts whose components are used in both directions. Written without the code of the diff.
import type { ContractRow } from '../pair.ts';

const PAYMENTS = `openapi: 3.1.0
info: {title: Payments, version: 4.1.0}
servers: [{url: https://api.pay.test/v1}]
security: [{secret: []}]
tags: [{name: charges}, {name: customers}]
paths:
  /charges:
    get:
      operationId: listCharges
      tags: [charges]
      parameters:
        - {$ref: '#/components/parameters/Limit'}
        - {name: starting_after, in: query, schema: {type: string}}
        - {name: created, in: query, style: deepObject, explode: true, schema: {$ref: '#/components/schemas/Range'}}
        - {name: status, in: query, schema: {$ref: '#/components/schemas/ChargeStatus'}}
      responses:
        '200':
          description: A list of charges.
          content: {application/json: {schema: {$ref: '#/components/schemas/ChargeList'}}}
        4XX: {$ref: '#/components/responses/Error'}
        default: {$ref: '#/components/responses/Error'}
    post:
      operationId: createCharge
      tags: [charges]
      parameters:
        - {name: Idempotency-Key, in: header, schema: {type: string, maxLength: 255}}
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/NewCharge'}}
          application/json: {schema: {$ref: '#/components/schemas/NewCharge'}}
      callbacks:
        settled:
          '{$request.body#/callback_url}':
            post:
              requestBody:
                required: true
                content: {application/json: {schema: {$ref: '#/components/schemas/Event'}}}
              responses: {'204': {description: Received.}}
      responses:
        '201':
          description: The charge.
          headers: {Request-Id: {required: true, schema: {type: string}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Charge'}}}
        4XX: {$ref: '#/components/responses/Error'}
        default: {$ref: '#/components/responses/Error'}
  /customers/{customer}:
    parameters:
      - {name: customer, in: path, required: true, schema: {type: string, pattern: '^cus_[a-zA-Z0-9]+$'}}
    get:
      operationId: getCustomer
      tags: [customers]
      responses:
        '200':
          description: The customer.
          content: {application/json: {schema: {$ref: '#/components/schemas/Customer'}}}
        default: {$ref: '#/components/responses/Error'}
    put:
      operationId: setCustomer
      tags: [customers]
      requestBody:
        content: {application/json: {schema: {$ref: '#/components/schemas/Customer'}}}
      responses:
        '200':
          description: The customer.
          content: {application/json: {schema: {$ref: '#/components/schemas/Customer'}}}
        default: {$ref: '#/components/responses/Error'}
webhooks:
  event:
    post:
      parameters:
        - {name: Pay-Signature, in: header, required: true, schema: {type: string}}
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Event'}}}
      responses: {2XX: {description: Received.}}
components:
  parameters:
    Limit: {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100, default: 10}}
  responses:
    Error:
      description: The request failed.
      content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}
  schemas:
    ChargeStatus: {type: string, enum: [pending, succeeded, failed]}
    Currency: {type: string, pattern: '^[a-z]{3}$'}
    Range:
      type: object
      properties: {gte: {type: integer}, lt: {type: integer}}
    Address:
      type: object
      properties: {city: {type: [string, 'null']}, country: {type: string, minLength: 2, maxLength: 2}}
      required: [country]
    Customer:
      type: object
      properties:
        id: {type: string, readOnly: true}
        email: {type: [string, 'null'], format: email}
        address: {$ref: '#/components/schemas/Address'}
        metadata: {type: object, additionalProperties: {type: string, maxLength: 500}}
      required: [id]
    Card:
      type: object
      properties: {type: {const: card}, last4: {type: string}, brand: {type: string}}
      required: [type, last4]
    Bank:
      type: object
      properties: {type: {const: bank}, iban: {type: string}}
      required: [type, iban]
    NewCharge:
      type: object
      properties:
        amount: {type: integer, minimum: 50}
        currency: {$ref: '#/components/schemas/Currency'}
        capture: {type: boolean, default: true}
        callback_url: {type: string, format: uri}
      required: [amount, currency]
    Charge:
      type: object
      properties:
        id: {type: string}
        amount: {type: integer, minimum: 0}
        currency: {$ref: '#/components/schemas/Currency'}
        status: {$ref: '#/components/schemas/ChargeStatus'}
        customer: {oneOf: [{type: string}, {$ref: '#/components/schemas/Customer'}]}
        source:
          oneOf: [{$ref: '#/components/schemas/Card'}, {$ref: '#/components/schemas/Bank'}]
          discriminator: {propertyName: type, mapping: {card: '#/components/schemas/Card', bank: '#/components/schemas/Bank'}}
      required: [id, amount, currency, status]
    ChargeList:
      type: object
      properties:
        data: {type: array, items: {$ref: '#/components/schemas/Charge'}}
        has_more: {type: boolean}
      required: [data, has_more]
    Event:
      type: object
      properties:
        type: {type: string, enum: [charge.succeeded, charge.failed]}
        data: {$ref: '#/components/schemas/Charge'}
      required: [type, data]
    Error:
      type: object
      properties: {code: {type: string}, message: {type: string}}
      required: [message]
  securitySchemes:
    secret: {type: http, scheme: basic}
    publishable: {type: apiKey, in: query, name: key}
`;

const ISSUES = `openapi: 3.0.3
info: {title: Issues, version: 2022.11.28}
servers: [{url: https://api.hub.test}]
paths:
  /repos/{owner}/{repo}/issues:
    parameters:
      - {$ref: '#/components/parameters/owner'}
      - {$ref: '#/components/parameters/repo'}
    get:
      operationId: issues/list
      tags: [issues]
      parameters:
        - {name: state, in: query, schema: {type: string, enum: [open, closed, all], default: open}}
        - {name: labels, in: query, schema: {type: string}}
        - {name: per_page, in: query, schema: {type: integer, maximum: 100, default: 30}}
      responses:
        '200':
          description: Issues.
          headers: {Link: {schema: {type: string}}}
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/issue'}}}}
        '301': {description: Moved.}
        '404': {$ref: '#/components/responses/not_found'}
    post:
      operationId: issues/create
      tags: [issues]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              properties:
                title: {oneOf: [{type: string}, {type: integer}]}
                body: {type: string}
                assignees: {type: array, items: {type: string}}
                milestone: {type: integer, nullable: true}
              required: [title]
      responses:
        '201':
          description: The issue.
          content: {application/json: {schema: {$ref: '#/components/schemas/issue'}}}
        '422': {$ref: '#/components/responses/not_found'}
components:
  parameters:
    owner: {name: owner, in: path, required: true, schema: {type: string}}
    repo: {name: repo, in: path, required: true, schema: {type: string}}
  responses:
    not_found:
      description: Not found.
      content: {application/json: {schema: {$ref: '#/components/schemas/basic_error'}}}
  schemas:
    user:
      type: object
      properties: {login: {type: string}, id: {type: integer, format: int64}, site_admin: {type: boolean}}
      required: [login, id]
    issue:
      type: object
      properties:
        number: {type: integer}
        state: {type: string}
        title: {type: string}
        body: {type: string, nullable: true}
        user: {$ref: '#/components/schemas/user'}
        locked: {type: boolean}
        closed_at: {type: string, format: date-time, nullable: true}
      required: [number, state, title]
    basic_error:
      type: object
      properties: {message: {type: string}, documentation_url: {type: string}}
`;

type Edit = readonly [before: string, after: string];

/** @param edits what is replaced everywhere by what */
function edited(contract: string, edits: readonly Edit[]): string {
  return edits.reduce((text, [before, after]) => {
    if (!text.includes(before)) throw new Error(`${before} is not in the contract`);
    return text.replaceAll(before, () => after);
  }, contract);
}

/** Labels are those of the edit and of its reverse. */
const pay = (what: string, labels: string, why: string, ...edits: readonly Edit[]): ContractRow => [
  `payments: ${what}`,
  PAYMENTS,
  edited(PAYMENTS, edits),
  labels,
  why,
];
const issue = (
  what: string,
  labels: string,
  why: string,
  ...edits: readonly Edit[]
): ContractRow => [`issues: ${what}`, ISSUES, edited(ISSUES, edits), labels, why];

const ERROR =
  '{type: object, properties: {code: {type: string}, message: {type: string}}, required: [message]}';
const RANGES = "        4XX: {$ref: '#/components/responses/Error'}\n";
const ADDRESS = `    Address:
      type: object
      properties: {city: {type: [string, 'null']}, country: {type: string, minLength: 2, maxLength: 2}}
      required: [country]
`;
const ISSUES_31: readonly Edit[] = [
  ['openapi: 3.0.3', 'openapi: 3.1.0'],
  ['{type: integer, nullable: true}', "{type: [integer, 'null']}"],
  ['{type: string, nullable: true}', "{type: ['null', string]}"],
];
const CLOSED_AT = '{type: string, format: date-time, nullable: true}';

// biome-ignore format: a table
export const EIGHTH_WHOLE_ROWS: readonly ContractRow[] = [
  pay('a status more', 'BB', 'Replies have it; in the reverse queries may not.', ['[pending, succeeded, failed]', '[pending, succeeded, failed, disputed]']),
  pay('a status of replies more', 'BR', 'Replies have it; in the reverse SDKs lose a type.', ["status: {$ref: '#/components/schemas/ChargeStatus'}", "status: {$ref: '#/components/schemas/ReplyStatus'}"], ['    Currency:', '    ReplyStatus: {type: string, enum: [pending, succeeded, failed, disputed]}\n    Currency:']),
  pay('a filter of charges', 'CB', 'Optional; in the reverse it is gone.', ['        - {name: starting_after,', '        - {name: customer, in: query, schema: {type: string}}\n        - {name: starting_after,']),
  pay('a cursor under another name', 'BB', 'Names of a query are on the wire.', ['starting_after', 'after']),
  pay('a limit of pages that is optional in words', 'CC', 'The default.', ['name: limit, in: query,', 'name: limit, in: query, required: false, style: form, explode: true,']),
  pay('a limit of pages inline', 'CC', 'The same parameter.', ["        - {$ref: '#/components/parameters/Limit'}", '        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100, default: 10}}']),
  pay('a limit of pages with another default', 'BB', 'A page has another length if it is omitted.', ['default: 10', 'default: 20']),
  pay('a bound of a range more', 'C-', 'Optional.', ['gte: {type: integer}, ', 'gte: {type: integer}, lte: {type: integer}, ']),
  pay('ranges closed', 'B-', 'A condition that the contract does not name is refused.', ['lt: {type: integer}}', 'lt: {type: integer}}\n      additionalProperties: false']),
  pay('a smaller minimum of new charges', 'CB', '49 is refused in the reverse.', ['minimum: 50', 'minimum: 1']),
  pay('a new charge that needs no currency', 'CB', 'A charge without it is refused in the reverse.', ['required: [amount, currency]\n    Charge:', 'required: [amount]\n    Charge:']),
  pay('a new charge with a customer', 'CR', 'Optional; in the reverse it is ignored.', ['        capture:', '        customer: {type: string}\n        capture:']),
  pay('a new charge with a customer that it needs', 'BR', 'A charge lacks it; in the reverse it is ignored.', ['        capture:', '        customer: {type: string}\n        capture:'], ['required: [amount, currency]\n    Charge:', 'required: [amount, currency, customer]\n    Charge:']),
  pay('charges that are not captured by default', 'BB', 'Another value if it is omitted.', ['capture: {type: boolean, default: true}', 'capture: {type: boolean, default: false}']),
  pay('new charges in JSON only', 'BC', 'A form is refused.', ["          application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/NewCharge'}}\n", '']),
  pay('a key of idempotency that is shorter', 'BC', 'A longer key is refused.', ['maxLength: 255', 'maxLength: 64']),
  pay('a key of idempotency that every charge needs', 'BC', 'A charge without it is refused.', ['in: header, schema: {type: string, maxLength', 'in: header, required: true, schema: {type: string, maxLength']),
  pay('an id of a request in other capitals', 'CC', 'Header names are case-insensitive.', ['{Request-Id:', '{request-id:']),
  pay('an id of a request that may lack', 'BC', 'Clients read it always.', ['{Request-Id: {required: true, ', '{Request-Id: {']),
  pay('capitals of currencies', 'BB', 'usd is refused; in the reverse replies have it.', ["'^[a-z]{3}$'", "'^[A-Z]{3}$'"]),
  pay('currencies by a pattern in other words', 'CC', 'The same currencies.', ["'^[a-z]{3}$'", "'^[a-z][a-z][a-z]$'"]),
  pay('currencies with a length as well', 'CC', 'The pattern has it.', ["pattern: '^[a-z]{3}$'", "pattern: '^[a-z]{3}$', minLength: 3, maxLength: 3"]),
  pay('a currency inline', 'RC', 'The same values; SDKs lose a type.', ["    Currency: {type: string, pattern: '^[a-z]{3}$'}\n", ''], ["{$ref: '#/components/schemas/Currency'}", "{type: string, pattern: '^[a-z]{3}$'}"]),
  pay('a customer of a charge as a name only', 'CB', 'The object comes in the reverse.', ["customer: {oneOf: [{type: string}, {$ref: '#/components/schemas/Customer'}]}", 'customer: {type: string}']),
  pay('a customer of a charge by anyOf', 'CC', 'No string is an object.', ["customer: {oneOf: [{type: string}, {$ref: '#/components/schemas/Customer'}]}", "customer: {anyOf: [{$ref: '#/components/schemas/Customer'}, {type: string}]}"]),
  pay('a wallet as a source', 'BR', 'Clients do not know it; in the reverse SDKs lose a type.', ["{$ref: '#/components/schemas/Bank'}]", "{$ref: '#/components/schemas/Bank'}, {$ref: '#/components/schemas/Wallet'}]"], ["bank: '#/components/schemas/Bank'}", "bank: '#/components/schemas/Bank', wallet: '#/components/schemas/Wallet'}"], ['    NewCharge:', '    Wallet: {type: object, properties: {type: {const: wallet}}, required: [type]}\n    NewCharge:']),
  pay('a source as a component', 'CR', 'The same sources; SDKs lose a type in the reverse.', ["        source:\n          oneOf: [{$ref: '#/components/schemas/Card'}, {$ref: '#/components/schemas/Bank'}]\n          discriminator: {propertyName: type, mapping: {card: '#/components/schemas/Card', bank: '#/components/schemas/Bank'}}\n", "        source: {$ref: '#/components/schemas/Source'}\n"], ['    NewCharge:', "    Source:\n      oneOf: [{$ref: '#/components/schemas/Card'}, {$ref: '#/components/schemas/Bank'}]\n      discriminator: {propertyName: type, mapping: {card: '#/components/schemas/Card', bank: '#/components/schemas/Bank'}}\n    NewCharge:"]),
  pay('a card with a country', 'CB', 'Clients ignore it; in the reverse they read it.', ['brand: {type: string}}', 'brand: {type: string}, country: {type: string}}']),
  pay('a card without digits', 'BC', 'Clients read them always.', ['required: [type, last4]', 'required: [type]']),
  pay('an address that needs a city', 'BB', 'Requests lack it; in the reverse replies may.', ['required: [country]', 'required: [country, city]']),
  pay('an address whose city is never null', 'BB', 'Requests with null are refused; in the reverse replies have it.', ["city: {type: [string, 'null']}", 'city: {type: string}']),
  pay('an address in the customer', 'RC', 'The same address; SDKs lose a type.', [ADDRESS, ''], ["address: {$ref: '#/components/schemas/Address'}", "address: {type: object, properties: {city: {type: [string, 'null']}, country: {type: string, minLength: 2, maxLength: 2}}, required: [country]}"]),
  pay('an address of a customer with a line more', 'CB', 'Optional; in the reverse clients read it.', ["properties: {city: {type: [string, 'null']}, ", "properties: {line1: {type: string}, city: {type: [string, 'null']}, "]),
  pay('countries by a pattern', 'BB', 'de is refused; in the reverse replies have it.', ['country: {type: string, minLength: 2, maxLength: 2}', "country: {type: string, pattern: '^[A-Z]{2}$'}"]),
  pay('values of metadata that are longer', 'BB', 'Replies have 501 characters; in the reverse requests may not.', ['maxLength: 500}', 'maxLength: 1000}']),
  pay('an email in alternatives', 'CC', 'The same values.', ["email: {type: [string, 'null'], format: email}", "email: {oneOf: [{type: 'null'}, {type: string, format: email}]}"]),
  pay('a balance of a customer that the service sets', 'CB', 'Only replies have it; in the reverse clients read it.', ['        metadata:', '        balance: {type: integer, readOnly: true}\n        metadata:']),
  pay('an id of a customer that clients set', 'B-', 'Requests need it.', ['id: {type: string, readOnly: true}', 'id: {type: string}']),
  pay('an error with a parameter', 'CB', 'Clients ignore it; in the reverse they read it.', ['code: {type: string}, message', 'param: {type: string}, code: {type: string}, message']),
  pay('an error that always has a code', 'CB', 'It is always there; in the reverse it may lack.', ['required: [message]', 'required: [message, code]']),
  pay('an error inline', 'RC', 'The same errors; SDKs lose a type.', ["    Error:\n      type: object\n      properties: {code: {type: string}, message: {type: string}}\n      required: [message]\n", ''], ["{schema: {$ref: '#/components/schemas/Error'}}", `{schema: ${ERROR}}`]),
  pay('client errors in the default only', 'CC', 'The default declares them.', [RANGES, '']),
  pay('an event more', 'BC', 'Receivers do not know it.', ['[charge.succeeded, charge.failed]', '[charge.succeeded, charge.failed, charge.refunded]']),
  pay('an event by constants', 'CC', 'The same events.', ['type: {type: string, enum: [charge.succeeded, charge.failed]}', 'type: {oneOf: [{const: charge.succeeded}, {const: charge.failed}]}']),
  pay('an event without its data', 'BC', 'Receivers read it always.', ['required: [type, data]', 'required: [type]']),
  pay('a webhook that takes 200 only', 'BC', 'A receiver answers 204.', ['{2XX: {description: Received.}}', "{'200': {description: Received.}}"]),
  pay('a webhook without a signature', 'BC', 'Receivers verify it.', ["      parameters:\n        - {name: Pay-Signature, in: header, required: true, schema: {type: string}}\n", '']),
  pay('a callback that takes 200 as well', 'CB', 'In the reverse 200 is refused.', ["{'204': {description: Received.}}", "{'200': {description: Received.}, '204': {description: Received.}}"]),
  pay('a callback to another property', 'BB', 'The service calls another address.', ['callback_url}', 'callbackUrl}']),
  pay('a publishable key', 'CB', 'In the reverse a key is refused.', ['security: [{secret: []}]', 'security: [{secret: []}, {publishable: []}]']),
  pay('a token in place of a password', 'BB', 'Other credentials.', ['scheme: basic', 'scheme: bearer']),
  pay('an id of a customer in any form', 'CB', 'Any text; in the reverse it is refused.', ["schema: {type: string, pattern: '^cus_[a-zA-Z0-9]+$'}", 'schema: {type: string}']),
  pay('an id of a customer by another class', 'CC', 'The same ids.', ["'^cus_[a-zA-Z0-9]+$'", "'^cus_[0-9A-Za-z]{1,}$'"]),
  pay('an id of a customer under another name', 'RR', 'The same path; SDKs have another argument.', ['/customers/{customer}', '/customers/{id}'], ['name: customer, in: path', 'name: id, in: path']),
  pay('a customer under another name', 'RR', 'SDKs have another type.', ['    Customer:', '    Payer:'], ['schemas/Customer', 'schemas/Payer']),
  pay('a list of charges under another name', 'RR', 'SDKs have another type.', ['    ChargeList:', '    ChargePage:'], ['schemas/ChargeList', 'schemas/ChargePage']),
  pay('a body of a customer that is required', 'BC', 'A request without it is refused.', ["      requestBody:\n        content: {application/json: {schema: {$ref: '#/components/schemas/Customer'}}}", "      requestBody:\n        required: true\n        content: {application/json: {schema: {$ref: '#/components/schemas/Customer'}}}"]),
  pay('a customer by PATCH', 'BB', 'PUT is lost, or PATCH.', ['    put:', '    patch:']),
  pay('documentation', 'CC', 'Documentation.', ['The request failed.', 'See the error.'], ['tags: [{name: charges},', 'tags: [{name: charges, description: Charges},'], ['title: Payments,', 'title: Payments API, description: All about payments,']),
  pay('OpenAPI 3.2', 'CC', 'The same messages.', ['openapi: 3.1.0', 'openapi: 3.2.0']),
  pay('another host beside the old one', 'CB', 'In the reverse it is gone.', ['[{url: https://api.pay.test/v1}]', '[{url: https://api.pay.test/v1}, {url: https://eu.pay.test/v1}]']),
  pay('a version of the API in the host', 'BB', 'Clients call v1.', ['pay.test/v1', 'pay.test/v2']),
  issue('OpenAPI 3.1', 'CC', 'The same messages.', ...ISSUES_31, [CLOSED_AT, "{type: [string, 'null'], format: date-time}"]),
  issue('OpenAPI 3.1 with alternatives for null', 'CC', 'The same messages.', ...ISSUES_31, [CLOSED_AT, "{anyOf: [{type: string, format: date-time}, {type: 'null'}]}"]),
  issue('OpenAPI 3.1 with a date that is never null', 'CB', 'null comes in the reverse.', ...ISSUES_31, [CLOSED_AT, '{type: string, format: date-time}']),
  issue('OpenAPI 3.1 with a title as a type list', 'CC', 'The same messages.', ...ISSUES_31, [CLOSED_AT, "{type: [string, 'null'], format: date-time}"], ['title: {oneOf: [{type: string}, {type: integer}]}', 'title: {type: [integer, string]}']),
  issue('a title that is text', 'BC', 'A number is refused.', ['title: {oneOf: [{type: string}, {type: integer}]}', 'title: {type: string}']),
  issue('a milestone that is never null', 'BC', 'null is refused.', ['milestone: {type: integer, nullable: true}', 'milestone: {type: integer}']),
  issue('a type of an issue', 'CR', 'Optional; in the reverse it is ignored.', ['                body: {type: string}\n', '                body: {type: string}\n                type: {type: string, nullable: true}\n']),
  issue('assignees with a bound', 'BC', 'Eleven are refused.', ['assignees: {type: array, items', 'assignees: {type: array, maxItems: 10, items']),
  issue('a new issue as a component', 'CR', 'The same body; SDKs lose a type in the reverse.', ["            schema:\n              type: object\n              properties:\n                title: {oneOf: [{type: string}, {type: integer}]}\n                body: {type: string}\n                assignees: {type: array, items: {type: string}}\n                milestone: {type: integer, nullable: true}\n              required: [title]\n", "            schema: {$ref: '#/components/schemas/new_issue'}\n"], ['    basic_error:', '    new_issue: {type: object, properties: {title: {oneOf: [{type: string}, {type: integer}]}, body: {type: string}, assignees: {type: array, items: {type: string}}, milestone: {type: integer, nullable: true}}, required: [title]}\n    basic_error:']),
  issue('a state of an issue as an enum', 'CB', 'Fewer values; others come in the reverse.', ['state: {type: string}\n', 'state: {type: string, enum: [open, closed]}\n']),
  issue('a body of an issue that is never null', 'CB', 'null comes in the reverse.', ['body: {type: string, nullable: true}', 'body: {type: string}']),
  issue('a user without the mark of an admin', 'BC', 'Clients read it.', [', site_admin: {type: boolean}', '']),
  issue('ids of users of 32 bits', 'CB', 'Larger ids come in the reverse.', ['id: {type: integer, format: int64}', 'id: {type: integer, format: int32}']),
  issue('an issue in parts', 'CC', 'The same issues.', ['    issue:\n      type: object\n', '    issue:\n      type: object\n      allOf: [{required: [number]}, {required: [state, title]}]\n'], ['      required: [number, state, title]\n', '']),
  issue('a user that may be null in OpenAPI 3.1', 'BC', 'null comes.', ...ISSUES_31, [CLOSED_AT, "{type: [string, 'null'], format: date-time}"], ["user: {$ref: '#/components/schemas/user'}", "user: {oneOf: [{$ref: '#/components/schemas/user'}, {type: 'null'}]}"]),
  issue('the state of a query without all', 'BC', 'all is refused.', ['enum: [open, closed, all]', 'enum: [open, closed]']),
  issue('the state of a query with another default', 'BB', 'Another list if it is omitted.', ['default: open', 'default: all']),
  issue('labels as a list with commas', 'BC', 'Labelled CC, but an older set says it: a text with a comma becomes two items; the text of a list is text.', ['name: labels, in: query, schema: {type: string}', 'name: labels, in: query, explode: false, schema: {type: array, items: {type: string}}']),
  issue('a redirect that is gone', 'RR', 'A redirect that is gone; a new status in the reverse.', ["        '301': {description: Moved.}\n", '']),
  issue('gone beside not found', 'RC', 'A new status; an error that is gone.', ["        '404':", "        '410': {$ref: '#/components/responses/not_found'}\n        '404':"]),
  issue('not found without a body', 'B-', 'Clients read the message.', ["      content: {application/json: {schema: {$ref: '#/components/schemas/basic_error'}}}\n", '']),
  issue('links to pages that are gone', 'BC', 'Clients follow them.', ['          headers: {Link: {schema: {type: string}}}\n', '']),
  issue('a component of a response under another name', 'CC', 'The same response.', ['    not_found:', '    missing:'], ['responses/not_found', 'responses/missing']),
  issue('names of an owner', 'BC', 'a.b is refused.', ['owner: {name: owner, in: path, required: true, schema: {type: string}}', "owner: {name: owner, in: path, required: true, schema: {type: string, pattern: '^[a-zA-Z0-9-]+$'}}"]),
  issue('an operationId in other letters', 'BB', 'SDKs lose their method.', ['issues/list', 'issues/list-for-repo']),
];
