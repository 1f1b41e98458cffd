// The handlers of the newer contract of books.ts: a service that knows no other version.
export interface Book {
  readonly id: bigint;
  readonly titles: { readonly main: string };
  readonly tags: readonly string[];
  readonly state: string;
}

const BOOK: Book = { id: 1n, titles: { main: 'Dune' }, tags: ['sand'], state: 'lent' };

/** A test changes the reply of `getBook`. */
export const stored = { book: BOOK };

export const handlers = {
  listBooks: () => ({ status: 200, body: { books: [stored.book] } }),
  createBook: ({ body }: { readonly body: object }) => {
    return { status: 201, body: { ...stored.book, ...body } };
  },
  getBook: () => ({ status: 200, body: stored.book }),
  updateBook: () => ({ status: 200, body: stored.book }),
  placeBook: ({ body }: { readonly body: object }) => ({ status: 200, body }),
  countBooks: () => ({ status: 201, body: { total: 1 } }),
  watchBooks: () => ({ status: 200, body: [{ kind: 'changed' }, { kind: 'created' }] }),
};
