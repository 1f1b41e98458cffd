// {{operation}}
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { client } from '../support/client.ts';

it({{title}}, async () => {
  const response = await client.fetch(client.example({{operationId}}));
  assert.ok(response.status < 400, `${response.status} ${await response.text()}`);
});
