// Preloaded into a service (`node --import`): reports to its parent how long the event loop was held.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

process.on('message', (message) => {
  if (message === 'reset') delay.reset();
  else process.send?.({ heldMs: Math.max(0, Math.round(delay.max / 1e6) - RESOLUTION_MS) });
});
process.on('disconnect', () => process.exit());
// The channel must not keep a service alive that has stopped.
process.channel?.unref();
