// Preloaded into a service (`node --import`): reports the event loop delay to the parent process.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

process.on('message', (message) => {
  if (message === 'reset') delay.reset();
  else process.send?.({ loopDelayMs: Math.max(0, Math.round(delay.max / 1e6) - RESOLUTION_MS) });
});
process.on('disconnect', () => process.exit());
// The channel must not keep a stopped service alive.
process.channel?.unref();
