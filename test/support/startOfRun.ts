// What jest does before all files: removes the bundle that an earlier run wrote with other sources.
import { rmSync } from 'node:fs';

export default function startOfRun(): void {
  rmSync('build/toys', { recursive: true, force: true });
}
