// `stubwright lsp`: the language server of an editor, on standard input and output.

import { Readable, type Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { developmentPath } from '@stubwright/contract';
import type { Command } from 'commander';
import { FailedCheck } from '../output/errors.ts';
import type { CommandIo } from '../output/io.ts';
import { StubwrightCommand } from './options.ts';

const PACKAGE = '@stubwright/lsp';

/** Of the package, which no other command loads. */
interface LanguageServer {
  runServer(streams: { input: Readable; output: Writable }): Promise<number>;
}

export function lsp(io: CommandIo): Command {
  return new StubwrightCommand('lsp')
    .summary('run the language server: errors and breaking changes while you type')
    .description(
      'Runs the language server on standard input and output: an editor shows errors and breaking changes while you type.',
    )
    .option('--stdio', 'use standard input and output, as always; editors add it')
    .action(async () => {
      const path = developmentPath(PACKAGE);
      if (path === undefined) {
        throw new Error(
          `${PACKAGE}: the language server needs a package that is not installed: npm install --save-dev ${PACKAGE}`,
        );
      }
      const { runServer }: LanguageServer = await import(pathToFileURL(path).href);
      // The lines of the protocol may not be escaped.
      const exitCode = await runServer({
        input: io.stdin?.() ?? Readable.from([]),
        output: io.raw,
      });
      if (exitCode !== 0) throw new FailedCheck();
    })
    .withExamples('lsp --stdio');
}
