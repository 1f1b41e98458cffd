// A contract before and after an upgrade, with converters of each kind, and wrong changes of them.
import { body, ERROR, list, reply } from '@stubwright/test-support/upgradeTexts';

const INT64_ID = '{name: id, in: path, required: true, schema: {type: integer, format: int64}}';

const integer = (status: number, property: string) =>
  `${status}: {description: d, content: {application/json: {schema: {type: object, required: [${property}], properties: {${property}: {type: integer}}}}}}`;

/** What differs between the versions, as YAML. */
const OLDER_PARTS = {
  ...{ version: '1.4.0', limit: '100', note: '100', refusals: '', locale: '' },
  removal: `
    delete:
      operationId: deleteBook
      parameters: [${INT64_ID}]
      responses:
        204: {description: d}
        ${reply(404, 'Error')}`,
  count: integer(200, 'count'),
  kinds: 'created, deleted',
  components: `State: {type: string, enum: [in, out]}
    Place: {type: object, required: [x, y], properties: {x: {type: number}, y: {type: number}}}`,
  bookRequires: 'title',
  book: `title: {type: string}
        tag: {type: string}`,
  newBookRequires: 'title',
  newBook: 'title: {type: string}',
};

const NEWER_PARTS: typeof OLDER_PARTS = {
  ...{ version: '2.0.0', limit: '50', note: '50', refusals: `\n        ${reply(410, 'Error')}` },
  locale: ', {name: locale, in: query, required: true, schema: {type: string}}',
  removal: `
    patch:
      operationId: updateBook
      parameters: [${INT64_ID}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {isDeleted: {type: boolean}}}}}}
      responses:
        ${reply(200, 'Book')}
        ${reply(404, 'Error')}`,
  count: integer(201, 'total'),
  kinds: 'created, changed, deleted',
  components: `State: {type: string, enum: [in, lent, lost]}
    Place: {type: object, required: [lon, lat], properties: {lon: {type: number}, lat: {type: number}}}
    Titles: {type: object, required: [main], properties: {main: {type: string}, sub: {type: string}}}`,
  bookRequires: 'titles, tags',
  book: `titles: {$ref: '#/components/schemas/Titles'}
        tags: {type: array, items: {type: string}}`,
  newBookRequires: 'titles, language',
  newBook: `titles: {$ref: '#/components/schemas/Titles'}
        language: {type: string, enum: [en, de]}`,
};

function booksContract(is: typeof OLDER_PARTS): string {
  return `
openapi: 3.1.0
info: {title: Books, version: ${is.version}}
paths:
  /books:
    get:
      operationId: listBooks
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: ${is.limit}}}
        - {name: state, in: query, schema: {$ref: '#/components/schemas/State'}}
      responses:
        ${list('books', 'Book')}
    post:
      operationId: createBook
      ${body('NewBook')}
      responses:
        ${reply(201, 'Book')}
        ${reply(404, 'Error')}
        ${reply(409, 'Error')}${is.refusals}
  /books/{id}:
    get:
      operationId: getBook
      parameters: [${INT64_ID}${is.locale}]
      responses:
        ${reply(200, 'Book')}
        ${reply(404, 'Error')}${is.removal}
  /books/{id}/place:
    put:
      operationId: placeBook
      parameters: [${INT64_ID}]
      ${body('Place')}
      responses:
        ${reply(200, 'Place')}
  /count:
    get:
      operationId: countBooks
      responses:
        ${is.count}
  /events:
    get:
      operationId: watchBooks
      responses:
        200: {description: d, content: {application/jsonl: {schema: {type: array, items: {type: object, required: [kind], properties: {kind: {type: string, enum: [${is.kinds}]}}}}}}}
components:
  schemas:
    ${is.components}
    Book:
      type: object
      required: [id, ${is.bookRequires}, state]
      properties:
        id: {type: integer, format: int64}
        ${is.book}
        state: {$ref: '#/components/schemas/State'}
        note: {type: string, maxLength: ${is.note}}
        pages: {type: integer}
        keywords: {type: array, items: {type: string}}
    NewBook:
      type: object
      required: [${is.newBookRequires}]
      properties:
        ${is.newBook}
        note: {type: string, maxLength: ${is.note}}
        pages: {type: integer}
        keywords: {type: array, items: {type: string}}
${ERROR}
`;
}

export const OLDER = booksContract(OLDER_PARTS);
export const NEWER = booksContract(NEWER_PARTS);

// biome-ignore lint/suspicious/noExplicitAny: the generated types of converters are tested by themselves
type Value = any;
type Converters = Record<'schemas' | 'operations' | 'statuses', Value>;

/** As an application writes them, with one member a line: a test replaces or removes lines. */
export const CONVERTERS = `{
  schemas: {
    State: {
      toNew: (state) => (state === 'out' ? 'lent' : state),
      toOld: (state) => (state === 'in' ? 'in' : 'out'),
      loses: ['lost'],
    },
    Place: {
      toNew: ({ x, y }) => ({ lon: x, lat: y }),
      toOld: ({ lon, lat }) => ({ x: lon, y: lat }),
    },
    Book: {
      toOld: ({ titles, tags: [tag], ...rest }) => ({ ...rest, title: titles.main, ...(tag !== undefined && { tag }) }),
    },
    NewBook: {
      toNew: ({ title, note, ...rest }) => ({ ...rest, titles: { main: title }, language: 'en', ...(note !== undefined && { note: note.slice(0, 50) }) }),
      loses: ['note'],
    },
  },
  operations: {
    listBooks: { request: ({ query }) => ({ query: { ...query, ...(query.limit !== undefined && { limit: Math.min(query.limit, 50) }) } }) },
    getBook: { request: ({ query }) => ({ query: { ...query, locale: 'en' } }) },
    countBooks: {
      reply: ({ body: { total } }) => ({ status: 200, body: { count: total } }),
    },
    deleteBook: {
      call: async ({ path }, { updateBook }) => {
        const { status } = await updateBook({ path, body: { isDeleted: true } });
        return status === 404 ? { status, body: { error: 40400, message: 'none' } } : { status: 204 };
      },
    },
    watchBooks: { item: (item) => (item.kind === 'changed' ? undefined : { ...item, kind: item.kind }) },
  },
  statuses: { 410: 404 },
}`;

/** @returns a new object: mutants replace members of it */
export function correctConverters(): Converters {
  return new Function(`return ${CONVERTERS}`)();
}

/** A wrong change of one converter. */
export interface Mutant {
  readonly name: string;
  readonly change: (converters: Converters) => void;
  /** False for a mistake that no round trip shows: both contracts allow the result. */
  readonly isNoticed: boolean;
}

const noticed = (name: string, change: Mutant['change']): Mutant => {
  return { name, change, isNoticed: true };
};
const invisible = (name: string, change: Mutant['change']): Mutant => {
  return { name, change, isNoticed: false };
};

/** After `convert`: most mutants change its result. */
const after = (convert: Value, change: (value: Value) => Value) => (value: Value) =>
  change(convert(value));

export const SUBTLE_MUTANTS: readonly Mutant[] = [
  noticed('title of the wrong field', ({ schemas: { Book } }) => {
    const { toOld } = Book;
    Book.toOld = (value: Value) => ({ ...toOld(value), title: value.titles.sub ?? '' });
  }),
  invisible('tag of the last instead of the first', ({ schemas: { Book } }) => {
    const { toOld } = Book;
    Book.toOld = (value: Value) => {
      const tag = value.tags.at(-1);
      return { ...toOld(value), ...(tag !== undefined && { tag }) };
    };
  }),
  invisible('an optional property left out', ({ schemas: { Book } }) => {
    Book.toOld = after(Book.toOld, ({ tag: _, ...rest }) => rest);
  }),
  noticed('the first keyword dropped from replies', ({ schemas: { Book } }) => {
    Book.toOld = after(Book.toOld, ({ keywords, ...rest }) => ({
      ...{ ...rest, ...(keywords && { keywords: keywords.slice(1) }) },
    }));
  }),
  noticed('pages off by one', ({ schemas: { Book } }) => {
    Book.toOld = after(Book.toOld, ({ pages, ...rest }) => ({
      ...{ ...rest, ...(pages !== undefined && { pages: pages + 1 }) },
    }));
  }),
  noticed('an id as text', ({ schemas: { Book } }) => {
    Book.toOld = after(Book.toOld, ({ id, ...rest }) => ({ ...rest, id: String(id) }));
  }),
  invisible('state as a constant', ({ schemas: { Book } }) => {
    Book.toOld = after(Book.toOld, (book) => ({ ...book, state: 'in' }));
  }),
  noticed('lent is in', ({ schemas: { State } }) => {
    State.toOld = (state: Value) => (state === 'lost' ? 'out' : 'in');
  }),
  noticed('out is lost', ({ schemas: { State } }) => {
    State.toNew = (state: Value) => (state === 'out' ? 'lost' : state);
  }),
  noticed('names swapped to the newer', ({ schemas: { Place } }) => {
    Place.toNew = ({ x, y }: Value) => ({ lon: y, lat: x });
  }),
  noticed('names swapped to the older', ({ schemas: { Place } }) => {
    Place.toOld = ({ lon, lat }: Value) => ({ x: lat, y: lon });
  }),
  invisible('names swapped in both directions', ({ schemas: { Place } }) => {
    Place.toNew = ({ x, y }: Value) => ({ lon: y, lat: x });
    Place.toOld = ({ lon, lat }: Value) => ({ x: lat, y: lon });
  }),
  noticed('title shortened', ({ schemas: { NewBook } }) => {
    const { toNew } = NewBook;
    NewBook.toNew = (value: Value) => toNew({ ...value, title: value.title.slice(0, 3) });
  }),
  noticed('pages dropped from requests', ({ schemas: { NewBook } }) => {
    NewBook.toNew = after(NewBook.toNew, ({ pages: _, ...rest }) => rest);
  }),
  noticed('the last keyword dropped from requests', ({ schemas: { NewBook } }) => {
    NewBook.toNew = after(NewBook.toNew, ({ keywords, ...rest }) => ({
      ...{ ...rest, ...(keywords && { keywords: keywords.slice(0, -1) }) },
    }));
  }),
  noticed('a value that the enum does not have', ({ schemas: { NewBook } }) => {
    NewBook.toNew = after(NewBook.toNew, (book) => ({ ...book, language: 'EN' }));
  }),
  invisible('note one character too short', ({ schemas: { NewBook } }) => {
    NewBook.toNew = after(NewBook.toNew, ({ note, ...rest }) => ({
      ...{ ...rest, ...(note !== undefined && { note: note.slice(0, 49) }) },
    }));
  }),
  noticed('note one character too long', ({ schemas: { NewBook } }) => {
    const { toNew } = NewBook;
    NewBook.toNew = (value: Value) => ({
      ...{ ...toNew(value), ...(value.note !== undefined && { note: value.note.slice(0, 51) }) },
    });
  }),
  noticed('an absent note', ({ schemas: { NewBook } }) => {
    const { toNew } = NewBook;
    NewBook.toNew = (value: Value) => ({ ...toNew(value), note: value.note.slice(0, 50) });
  }),
  invisible('limit one too small', ({ operations: { listBooks } }) => {
    listBooks.request = ({ query }: Value) => ({
      query: { ...query, ...(query.limit > 49 && { limit: 49 }) },
    });
  }),
  noticed('limit one too large', ({ operations: { listBooks } }) => {
    listBooks.request = ({ query }: Value) => ({
      query: { ...query, ...(query.limit > 51 && { limit: 51 }) },
    });
  }),
  invisible('another parameter dropped', ({ operations: { listBooks } }) => {
    listBooks.request = ({ query: { limit } }: Value) => ({
      query: { ...(limit !== undefined && { limit: Math.min(limit, 50) }) },
    });
  }),
  noticed('a misspelt parameter', ({ operations: { getBook } }) => {
    getBook.request = ({ query }: Value) => ({ query: { ...query, lang: 'en' } });
  }),
  noticed('an undeclared status', ({ operations: { countBooks } }) => {
    countBooks.reply = ({ body: { total } }: Value) => ({ status: 201, body: { count: total } });
  }),
  invisible('a count off by one', ({ operations: { countBooks } }) => {
    countBooks.reply = ({ body: { total } }: Value) => ({
      status: 200,
      body: { count: total + 1 },
    });
  }),
  noticed('an undeclared status of a call', ({ operations: { deleteBook } }) => {
    deleteBook.call = async ({ path }: Value, { updateBook }: Value) => {
      await updateBook({ path, body: { isDeleted: true } });
      return { status: 200 };
    };
  }),
  noticed('a call without the required body', ({ operations: { deleteBook } }) => {
    deleteBook.call = async ({ path }: Value, { updateBook }: Value) => {
      await updateBook({ path });
      return { status: 204 };
    };
  }),
  invisible('an error of a call as success', ({ operations: { deleteBook } }) => {
    deleteBook.call = async ({ path }: Value, { updateBook }: Value) => {
      await updateBook({ path, body: { isDeleted: true } });
      return { status: 204 };
    };
  }),
  invisible('all items left out', ({ operations: { watchBooks } }) => {
    watchBooks.item = () => undefined;
  }),
  invisible('all items of one kind', ({ operations: { watchBooks } }) => {
    watchBooks.item = (item: Value) => ({ ...item, kind: 'deleted' });
  }),
  invisible('another declared status', ({ statuses }) => {
    statuses[410] = 409;
  }),
  noticed('an undeclared refusal', ({ schemas: { NewBook } }) => {
    const { toNew } = NewBook;
    NewBook.toNew = (value: Value) => {
      if (value.title === '') throw new RangeError('no title');
      return toNew(value);
    };
  }),
  noticed('a missing loss of a component', ({ schemas: { State } }) => {
    delete State.loses;
  }),
  noticed('a missing loss of a request', ({ schemas: { NewBook } }) => {
    delete NewBook.loses;
  }),
  invisible('a loss that never happens', ({ schemas: { Place } }) => {
    Place.loses = ['x'];
  }),
];
