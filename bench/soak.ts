// Reports the memory at each million of creates.
import { CONNECTIONS, type Contender } from './contenders.ts';
import { load } from './load.ts';
import { Server } from './server.ts';

const MILLION = 1e6;
const SLICE_SECONDS = 2;
/** Maximum growth over the first million. */
const FLAT = 1.1;

export async function soak(
  contender: Contender,
  contract: string,
  millions: number,
  say: (line: string) => void,
): Promise<void> {
  const server = await Server.start(contender, contract);
  const marks: number[] = [];
  let created = 1;
  let slices = 0;
  try {
    while (marks.length < millions) {
      const result = await load(server, { connections: CONNECTIONS, seconds: SLICE_SECONDS });
      if (result.failed > 0 || result.requests === 0) throw new Error(`${result.failed} failed`);
      created += result.requests;
      slices++;
      if (created < (marks.length + 1) * MILLION) continue;
      marks.push(result.rssMb);
      const { peakMb } = server.memory();
      say(
        `${marks.length} million: RSS ${result.rssMb.toFixed(0)} MB, peak ${peakMb.toFixed(0)} MB`,
      );
    }
    await server.stop();
    const rows = await server.rows();
    const lost = Math.max(0, created - rows);
    if (lost > 0 || rows > created + slices * CONNECTIONS) {
      throw new Error(`${rows} rows for ${created} answers`);
    }
    const growth = Math.max(...marks) / marks[0]!;
    process.stdout.write(
      `| million creates | RSS MB |\n|---|---|\n${marks.map((mb, at) => `| ${at + 1} | ${mb.toFixed(0)} |`).join('\n')}\n\n` +
        `${rows.toLocaleString('en')} rows for ${created.toLocaleString('en')} answers; ` +
        `most over the first million ${growth.toFixed(2)} ×: ${growth <= FLAT ? 'flat' : 'NOT FLAT'}\n`,
    );
  } finally {
    await server.stop();
    server.clear();
  }
}
