// Draws the recordings of a terminal in the README and the examples: what the commands print.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Server } from '../packages/lsp/test/editor.ts';
import { Session } from './transcripts.ts';

/** A comment, a command whose output is shown, or a command that only the recording needs. */
type Step = string | { readonly hidden: string };

interface Recording {
  readonly title: string;
  readonly steps: readonly Step[];
  /** A folder whose openapi.yaml is shown in an editor at the end. */
  readonly edited?: string;
}

const HANDLER = `export async function storeToy({ body }: Request<"storeToy">, { toys }: Services) {
  await toys.insert(body); // body.id is a bigint, exact up to 2^63
  return { status: 201 } satisfies Reply<"storeToy">;
}
`;

/** A copy of an example, with its generated files. */
const copied = (example: string): Step[] => [
  { hidden: `cp -r '${resolve('docs/examples', example)}' example; cd example; export PORT=3000` },
  { hidden: 'stubwright generate' },
];
const started: Step = {
  hidden: 'until curl -so /dev/null http://127.0.0.1:3000/; do sleep 0.1; done',
};

export const RECORDINGS: Readonly<Record<string, Recording>> = {
  'docs/recording.svg': {
    title:
      'A terminal: stubwright mocks a contract, writes a typed service for it, and reports the change that breaks clients',
    steps: [
      '# A contract, before any code: a mock from its examples',
      'stubwright mock openapi.yaml > /dev/null &',
      "curl -s 'http://127.0.0.1:3000/v1/toys?limit=0'",
      '# A service for it, with types and tests',
      'stubwright init openapi.yaml service --no-install --quiet 2> /dev/null',
      { hidden: `cat > service/src/handlers/storeToy.ts << 'EOF'\n${HANDLER}EOF` },
      '# A handler, written by hand: validated, typed data in, data out',
      'cat service/src/handlers/storeToy.ts',
      '# An edit of the contract, and what it breaks for clients',
      "sed -i 's/maxLength: 40/maxLength: 10/' openapi.yaml",
      'stubwright diff HEAD',
    ],
    edited: 'toys',
  },
  'docs/examples/frameworks.svg': {
    title:
      'A terminal: the server of the example for Koa, an exact integer, and an invalid request',
    steps: [
      ...copied('koa'),
      '# A contract in an application with Koa: one line',
      'cat server.ts',
      'node server.ts &',
      started,
      '# An exact integer, and a request that violates the contract',
      `curl -s http://127.0.0.1:3000/toys --json '{"id":9007199254740993,"name":"Teddy bear"}'; echo`,
      'curl -s http://127.0.0.1:3000/toys/9007199254740993; echo',
      `curl -s http://127.0.0.1:3000/toys --json '{"id":1,"name":7}'; echo`,
    ],
  },
  'docs/examples/versions/versions.svg': {
    title: 'A terminal: one parcel, created with version 1.0.0, read with 2.0.0, 3.0.0 and 5.0.0',
    steps: [
      ...copied('versions'),
      '# The handlers implement 5.0.0; a module converts each older version to the next one',
      'cat src/versions/1.0.0.ts',
      'node src/main.ts > /dev/null &',
      started,
      '# A parcel of a client of 1.0.0, as clients of later versions see it',
      `curl -s http://127.0.0.1:3000/v1/parcels --json '{"recipient":"Ada Lovelace","weight":750}'; echo`,
      "curl -s http://127.0.0.1:3000/parcels/1 -H 'Api-Version: 2.0.0'; echo",
      "curl -s http://127.0.0.1:3000/parcels/1 -H 'Api-Version: 3.0.0'; echo",
      'curl -s http://127.0.0.1:3000/parcels/1; echo',
    ],
  },
};

const COLUMNS = 96;
const FONT = { width: 7.83, height: 19 };
const PADDING = { x: 18, top: 46, bottom: 18 };
const SECONDS = { command: 0.9, line: 0.12 };
const COLOURS: Readonly<Record<string, string>> = {
  ...{ 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 36: '#79c0ff', 2: '#8b949e' },
};

interface Part {
  readonly text: string;
  readonly colour?: string | undefined;
}

interface Line {
  readonly parts: readonly Part[];
  /** Columns from 0 that have a squiggle. */
  readonly marked?: { readonly from: number; readonly to: number } | undefined;
  /** After the start of the recording. */
  readonly seconds: number;
}

/** Runs the commands. @returns the picture */
export async function recorded({ title, steps, edited }: Recording): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'recording-'));
  const session = await Session.start(folder);
  try {
    await session.run('unset NO_COLOR; export FORCE_COLOR=1');
    const lines: Line[] = [];
    let seconds = 0.3;
    for (const step of steps) {
      if (typeof step !== 'string') {
        await session.run(step.hidden);
        continue;
      }
      if (step.startsWith('#')) {
        if (lines.length > 0) lines.push({ parts: [], seconds });
        lines.push({ parts: [{ text: step, colour: COLOURS['2'] }], seconds });
        continue;
      }
      lines.push({
        parts: [{ text: '$ ', colour: COLOURS['32'] }, { text: shown(step) }],
        seconds,
      });
      seconds += SECONDS.command;
      const output = await session.run(step);
      for (const text of output.split('\n').slice(0, -1).flatMap(folded)) {
        seconds += SECONDS.line;
        lines.push({ parts: partsOf(text), seconds });
      }
      seconds += SECONDS.command;
    }
    if (edited !== undefined) lines.push(...(await inEditor(join(folder, edited), seconds)));
    return drawn(title, lines);
  } finally {
    await session.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The contract in an editor, with the first error of the language server. */
async function inEditor(folder: string, seconds: number): Promise<Line[]> {
  const path = join(folder, 'openapi.yaml');
  const [uri, text] = [pathToFileURL(path).href, readFileSync(path, 'utf8')];
  await using server = new Server();
  await server.initialize(folder);
  const textDocument = { uri, languageId: 'yaml', version: 1, text };
  await server.connection.sendNotification('textDocument/didOpen', { textDocument });
  const found = await server.until(uri, (all) => all.some(({ severity }) => severity === 1));
  const { range, message } = found.find(({ severity }) => severity === 1)!;
  const { line, character: from } = range.start;
  const shownLines = text.split('\n').slice(line - 2, line + 2);
  const at = seconds + SECONDS.command;
  return [
    { parts: [], seconds },
    {
      parts: [{ text: '# The same in an editor, while you type', colour: COLOURS['2'] }],
      seconds,
    },
    ...shownLines.flatMap((shownLine, index): Line[] => {
      const isMarked = index === 2;
      const number = { text: `${line - 1 + index}  `.padStart(6), colour: COLOURS['2'] };
      const marked = isMarked ? { from: from + 6, to: range.end.character + 6 } : undefined;
      const indented = `${message}`.split('\n').map((text) => `        ${text}`);
      const messages = isMarked ? indented.flatMap(folded) : [];
      return [
        { parts: [number, { text: shownLine }], seconds: at, marked },
        ...messages.map((each) => ({
          parts: [{ text: each, colour: COLOURS['31'] }],
          seconds: at,
        })),
      ];
    }),
  ];
}

/** Without what only the recording needs. */
function shown(command: string): string {
  return command.replace(/ (?:2?> \/dev\/null|--no-install --quiet)|; echo$/g, '');
}

/** A terminal continues a long line on the next one. */
function folded(text: string): string[] {
  const indent = /^ */.exec(text)![0];
  const lines: string[] = [];
  for (let left = text; left !== ''; ) {
    const space = left.lastIndexOf(' ', COLUMNS);
    const end = left.length <= COLUMNS ? left.length : space > indent.length ? space : COLUMNS;
    lines.push(left.slice(0, end));
    left = left.slice(end).trimStart() && indent + left.slice(end).trimStart();
  }
  return lines.length === 0 ? [''] : lines;
}

/** @param text with the escape sequences of colours */
function partsOf(text: string): Part[] {
  const [first = '', ...others] = text.split('\u001b[');
  return [
    { text: first },
    ...others.map((each) => {
      const [, code = '', rest = ''] = /^(\d*)m(.*)$/s.exec(each)!;
      return { text: rest, colour: COLOURS[code] };
    }),
  ].filter((part) => part.text !== '');
}

function drawn(title: string, lines: readonly Line[]): string {
  const width = Math.ceil(COLUMNS * FONT.width + 2 * PADDING.x);
  const height = PADDING.top + lines.length * FONT.height + PADDING.bottom;
  const texts = lines.map(({ parts, seconds, marked }, at) => {
    const y = PADDING.top + (at + 0.7) * FONT.height;
    const spans = parts.map(({ text, colour }) =>
      colour === undefined ? escaped(text) : `<tspan fill="${colour}">${escaped(text)}</tspan>`,
    );
    const style = `style="animation-delay:${seconds.toFixed(2)}s"`;
    const text = `<text x="${PADDING.x}" y="${y.toFixed(1)}" ${style}>${spans.join('')}</text>`;
    if (marked === undefined) return text;
    const start = `M${PADDING.x + marked.from * FONT.width} ${(y + 3).toFixed(1)}`;
    const waves = 'q2 3 4 0t4 0'.repeat(Math.round(((marked.to - marked.from) * FONT.width) / 8));
    return `${text}<path d="${start}${waves}" fill="none" stroke="${COLOURS['31']}" ${style}/>`;
  });
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, at) => `<circle cx="${24 + at * 20}" cy="22" r="6" fill="${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${title}</title>
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #e6edf3; white-space: pre; }
text, path { opacity: 0; animation: shown 0.1s forwards; }
@keyframes shown { to { opacity: 1; } }
@media (prefers-reduced-motion: reduce) { text, path { opacity: 1; animation: none; } }
</style>
<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>
${dots.join('')}
${texts.join('\n')}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

if (import.meta.main) {
  for (const [file, recording] of Object.entries(RECORDINGS)) {
    writeFileSync(file, await recorded(recording));
  }
}
