// {{operation}}
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { client } from '../support/client.ts';

// The contract declares no success.
it({{title}}, async () => {
  const response = await client.fetch(client.example({{operationId}}));
  assert.ok(response.status >= 400, String(response.status));
});
