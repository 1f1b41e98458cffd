// What jest does before all files: makes the folder that they share.
import { makeRunFolder } from '@stubwright/test-support/runFolder';

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

export default function startOfRun(): void {
  makeRunFolder();
  // A process that a signal ends removes no folder.
  for (const [signal, code] of Object.entries(SIGNALS))
    process.once(signal, () => process.exit(code));
}
