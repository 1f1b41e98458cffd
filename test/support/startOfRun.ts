// What jest does before all files: makes the folder that they share.
import { makeRunFolder } from '@stubwright/test-support/runFolder';

export default function startOfRun(): void {
  makeRunFolder();
}
