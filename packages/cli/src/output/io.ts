// The surroundings of a command: folder, streams, environment, signals.

import type { Readable, Writable } from 'node:stream';
import type { Sources } from '../loading/containment.ts';
import type { Progress, Styles } from './terminal.ts';

export interface CommandIo extends Io {
  /** Standard output for documents, logs and workflow commands, which need no escaping. */
  readonly raw: Writable;
  /** On standard error, if it is a terminal. */
  readonly progress: Progress;
  /** Of standard output. */
  readonly styles: Styles;
  /** Writes to standard output, unless `--quiet` is given. */
  note: (text: string) => void;
  /** Of the argument `-`, too. */
  sources?: Sources;
  /** True if a person reads standard output. */
  readonly isTerminal: boolean;
}

export interface Io {
  /** The folder of the project. Paths in arguments and messages are relative to it. */
  readonly cwd: string;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Read for the argument `-`, and by `lsp`. */
  readonly stdin?: () => Readable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where contracts are read; by default the disk. */
  readonly sources?: Sources;
  /** Resolves at the first SIGINT or SIGTERM. By default a command that listens runs until the process ends. */
  readonly untilSignal?: () => Promise<void>;
  /** Called before files are written: from now on a signal ends the process after synchronous work. */
  readonly deferSignals?: () => void;
}
