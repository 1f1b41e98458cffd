// A contract before and after an upgrade with each kind of change that needs a converter.

const ERROR = `
    Error: {type: object, required: [error, message], properties: {error: {type: integer}, message: {type: string}}}`;

export const OLDER = `
openapi: 3.1.0
info: {title: Toys, version: 1.4.0}
paths:
  /toys:
    get:
      operationId: listToys
      parameters:
        - {name: limit, in: query, schema: {type: integer, maximum: 100}}
      responses:
        200:
          description: ok
          content:
            application/json:
              schema: {type: object, required: [toys], properties: {toys: {type: array, items: {$ref: '#/components/schemas/Toy'}}}}
    post:
      operationId: createToy
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewToy'}}}}
      responses:
        200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
        404: {description: none, content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}
        409: {description: taken, content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}
  /toys/{id}:
    delete:
      operationId: deleteToy
      parameters: [{name: id, in: path, required: true, schema: {type: integer, format: int64}}]
      responses:
        204: {description: gone}
        404: {description: none, content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}
    get:
      operationId: getToy
      parameters: [{name: id, in: path, required: true, schema: {type: integer, format: int64}}]
      responses:
        200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
        404: {description: none, content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}
  /toys/count:
    get:
      operationId: countToys
      responses:
        200: {description: ok, content: {application/json: {schema: {type: object, required: [count], properties: {count: {type: integer}}}}}}
  /events:
    get:
      operationId: watchToys
      responses:
        200: {description: ok, content: {application/jsonl: {schema: {type: array, items: {type: object, required: [kind], properties: {kind: {type: string, enum: [created, deleted]}}}}}}}
components:
  schemas:
    State: {type: string, enum: [alive, dead]}
    Toy:
      type: object
      required: [id, name, state]
      properties:
        id: {type: integer, format: int64}
        name: {type: string}
        tag: {type: string}
        state: {$ref: '#/components/schemas/State'}
    NewToy:
      type: object
      required: [id, name]
      properties:
        id: {type: integer, format: int64}
        name: {type: string}
        note: {type: string, maxLength: 100}
${ERROR}
`;

export const NEWER = `
openapi: 3.1.0
info: {title: Toys, version: 2.0.0}
paths:
  /toys:
    get:
      operationId: listToys
      parameters:
        - {name: limit, in: query, schema: {type: integer, maximum: 50}}
      responses:
        200:
          description: ok
          content:
            application/json:
              schema: {type: object, required: [toys], properties: {toys: {type: array, items: {$ref: '#/components/schemas/Toy'}}}}
    post:
      operationId: createToy
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewToy'}}}}
      responses:
        200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
        404: {description: none, content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}
        410: {description: gone, content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}
        409: {description: taken, content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}
  /toys/{id}:
    patch:
      operationId: updateToy
      parameters: [{name: id, in: path, required: true, schema: {type: integer, format: int64}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {isDeleted: {type: boolean}}}}}}
      responses:
        200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
        404: {description: none, content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}
    get:
      operationId: getToy
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer, format: int64}}
        - {name: locale, in: query, required: true, schema: {type: string}}
      responses:
        200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
        404: {description: none, content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}
  /toys/count:
    get:
      operationId: countToys
      responses:
        201: {description: ok, content: {application/json: {schema: {type: object, required: [total], properties: {total: {type: integer}}}}}}
  /events:
    get:
      operationId: watchToys
      responses:
        200: {description: ok, content: {application/jsonl: {schema: {type: array, items: {type: object, required: [kind], properties: {kind: {type: string, enum: [created, changed, deleted]}}}}}}}
components:
  schemas:
    State: {type: string, enum: [alive, dormant, dead]}
    Names: {type: object, required: [common], properties: {common: {type: string}}}
    Toy:
      type: object
      required: [id, names, tags, state]
      properties:
        id: {type: integer, format: int64}
        names: {$ref: '#/components/schemas/Names'}
        tags: {type: array, items: {type: string}}
        state: {$ref: '#/components/schemas/State'}
    NewToy:
      type: object
      required: [id, names]
      properties:
        id: {type: integer, format: int64}
        names: {$ref: '#/components/schemas/Names'}
        note: {type: string, maxLength: 50}
${ERROR}
`;

/** The converters, one member a line: a test replaces or removes lines. */
export const CONVERTERS = `{
  schemas: {
    State: { toOld: (state) => (state === 'dormant' ? 'dead' : state) },
    Toy: {
      toOld: ({ id, names, tags: [tag], state }) => ({ id, name: names.common, state, ...(tag !== undefined && { tag }) }),
    },
    NewToy: {
      toNew: ({ name, ...rest }) => ({ ...rest, names: { common: name } }),
      toNewSteps: {
        '/note maxLength 100 became 50': ({ note, ...rest }) => ({ ...rest, ...(note !== undefined && { note: note.slice(0, 50) }) }),
      },
    },
  },
  operations: {
    listToys: {
      requestSteps: {
        'query parameter limit maximum 100 became 50': ({ query }) => ({ query: { ...query, limit: Math.min(query.limit ?? 50, 50) } }),
      },
    },
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
