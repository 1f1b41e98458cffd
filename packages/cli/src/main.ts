#!/usr/bin/env node
// The command `stubwright` as a process: its streams, signals and exit code.
import module from 'node:module';
import { constants } from 'node:os';
import v8 from 'node:v8';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Of Node, if a promise that the command awaits is never settled. */
const UNSETTLED = 13;

/** Replaces the default action of a signal. The second signal ends the process with exit code 1. */
function onSignal(first: (signal: NodeJS.Signals) => void): void {
  let act = first;
  for (const name of SIGNALS) {
    process.on(name, (signal) => {
      act(signal);
      act = () => process.exit(1);
    });
  }
}

// Older versions lack functions that the command imports.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`stubwright: got Node ${process.version}, expected 22.18 or later\n`);
  process.exit(2);
}
// A comparison ends soon. Its space for young objects grows once, to 4 MB, while modules are loaded: with more it
// takes up to twice the memory and 4 % less CPU time, with 1 MB 5 % more.
const isComparison = process.argv[2] === 'diff';
if (isComparison) {
  v8.setFlagsFromString('--semi-space-growth-factor=4');
  // The last optimizing compiler takes 8 % of the CPU time, which only functions called very often give back.
  v8.setFlagsFromString('--invocation-count-for-turbofan=50000');
}
// Before the command is loaded, which takes half of the time of `--help`. NODE_COMPILE_CACHE names another
// folder than Node's default.
module.enableCompileCache();
const { run } = await import('./run.ts');
if (isComparison) v8.setFlagsFromString('--semi-space-growth-factor=1');
/** Modules of a project, such as handlers, run in this process: their end is no result of the command. */
const onEarlyExit = (code: number) => {
  if (code !== 0 && code !== UNSETTLED) return;
  process.stderr.write(
    `stubwright: got exit code ${code} before the end of the command, expected modules of the project that neither exit nor wait for ever\n`,
  );
  process.exitCode = 2;
};
process.once('exit', onEarlyExit);
const { stdout, stderr, env } = process;
const exitCode = await run(process.argv.slice(2), {
  ...{ cwd: process.cwd(), stdout, stderr, env },
  stdin: () => process.stdin,
  untilSignal: () => new Promise((resolve) => onSignal(() => resolve())),
  deferSignals() {
    if (process.listenerCount(SIGNALS[0]) > 0) return;
    onSignal((signal) => process.exit(128 + constants.signals[signal]));
  },
});
process.off('exit', onEarlyExit);
// Without waiting for the watchers and threads of the command.
process.exit(exitCode);
