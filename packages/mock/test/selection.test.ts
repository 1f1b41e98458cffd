// The page and the filters of a list, and the property that a parameter names.
import { expect, it } from '@jest/globals';
import { idKeyOf } from '../src/replies/exchangeValues.ts';
import { filtered, pageIn } from '../src/state/selectedList.ts';

it.each([
  [{}, [0, 1, 2, 3, 4]],
  [{ limit: 2 }, [0, 1]],
  [{ page_size: 2n, page: 2n }, [2, 3]],
  [{ 'per-page': 2, pageNumber: 3 }, [4]],
  [{ top: 2, skip: 1 }, [1, 2]],
  [{ limit: 2, page: 0 }, [0, 1]],
  [{ maxResults: 2, offset: 4 }, [4]],
  [{ limit: 0 }, []],
  [{ limit: -1, offset: '1' }, [0, 1, 2, 3, 4]],
])('the query %p selects %j', (query, expected) => {
  expect(pageIn([0, 1, 2, 3, 4], query)).toEqual(expected);
});

it.each([
  [{ color: 'red' }, [1, 3]],
  [{ color: ['red', 'blue'] }, [1, 2, 3]],
  [{ size: '2' }, [2, 3]],
  [{ color: 'red', size: 2 }, [3]],
  [{ owner: 'null' }, []],
  [{ other: 'x', color: undefined }, [1, 2, 3]],
])('the filters %p select %j', (query, expected) => {
  const items = [
    { id: 1, color: 'red', size: 1, owner: null },
    { id: 2, color: 'blue', size: 2 },
    { id: 3, color: 'red', size: 2 },
  ].map((body) => ({ item: { body } }));
  expect(filtered(items, query).map(({ item }) => item.body.id)).toEqual(expected);
});

it.each([
  [{ id: 1 }, 'toyId', 'id'],
  [{ toy_id: 1, id: 2 }, 'toyId', 'toy_id'],
  [{ 'TOY-ID': 1 }, 'toyId', 'TOY-ID'],
  [{ name: 1 }, 'event_type_name', 'name'],
  [{ typeName: 1, name: 2 }, 'event_type_name', 'typeName'],
  [{ id: null }, 'id', 'id'],
  [{ id: {} }, 'id', undefined],
  [{ id: 1 }, 'name', undefined],
  [[{ id: 1 }], 'id', undefined],
])('%j has for %s the property %s', (resource, name, expected) => {
  expect(idKeyOf(resource, name)).toBe(expected);
});
