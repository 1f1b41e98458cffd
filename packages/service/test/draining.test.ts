// The event streams that a stop ends: those whose response is still open.
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Exchange } from 'stubwright/internals';
import { Draining } from '../src/resources.ts';
import { limits } from '../src/server/server.ts';

const EVENTS = { 'Content-Type': 'text/event-stream' };

class Response extends EventEmitter {
  endCount = 0;
  end(): void {
    this.endCount++;
  }
}

it('a stop ends an open event stream, and neither a closed one nor another body', async () => {
  const draining = new Draining({ ...limits, settleMs: 0 });
  const aborted: string[] = [];
  const add = (name: string, headers: Record<string, string>) => {
    const response = new Response();
    const exchange = { abort: () => aborted.push(name) } as unknown as Exchange;
    const body = new Readable({ read() {} });
    draining.add(exchange, { status: 200, headers, body }, response as unknown as ServerResponse);
    return response;
  };
  const [open, closed, text] = [
    add('open', EVENTS),
    add('closed', EVENTS),
    add('text', { 'Content-Type': 'text/plain' }),
  ];
  closed.emit('close');
  draining.start();
  const late = add('late', EVENTS);
  await sleep(20);
  expect(aborted).toEqual(['open', 'late']);
  expect([open, closed, text, late].map(({ endCount }) => endCount)).toEqual([1, 0, 0, 1]);
});
