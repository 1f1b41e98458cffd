// Uploads within limits of memory, file descriptors and disk, in a process of their own.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bundleOf } from '@stubwright/cli/loader';
import { bundleText } from '@stubwright/contract';
import { openConnection, parseAnswer, readAll } from '@stubwright/test-support/http';
import { type ServiceProcess, spawnScript } from '@stubwright/test-support/serviceProcess';
import { mountSmallDisk, unmountSmallDisk } from '@stubwright/test-support/smallDisk';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { isTestAll } from '@stubwright/test-support/testAll';
import { uploadFolders } from '@stubwright/test-support/uploads';

const KIB = 1024;
const TYPE = 'multipart/form-data; boundary=b';
const END = '\r\n--b--\r\n';

/** Concurrent uploads: limits must not depend on their number. */
const COUNTS = isTestAll ? [20, 40, 80] : [15, 30];

const temporary = temporaryFolder();
const disk = temporaryFolder();
const itOnASmallDisk = mountSmallDisk(disk.path, 1024) ? it : it.skip;
const itWithProc = process.platform === 'linux' ? it : it.skip;
const contract = join(temporary.path, 'contract.json');
writeFileSync(
  contract,
  bundleText(await bundleOf('packages/test-support/uploads.yaml', temporary.path)),
);
const running: ServiceProcess[] = [];

// A test that fails leaves no process behind.
afterEach(async () => {
  for (const { child, exited } of running.splice(0)) {
    child.kill('SIGKILL');
    await exited;
  }
});
afterAll(() => {
  if (itOnASmallDisk === it) unmountSmallDisk(disk.path);
  temporary.remove();
  disk.remove();
});

function spawnUploads(env: Record<string, string>): ServiceProcess {
  return spawnScript('packages/test-support/uploadProcess.ts', {
    CONTRACT: contract,
    TMPDIR: temporary.path,
    LAG_LIMIT: '60000',
    LOG_LEVEL: 'info',
    ...env,
  });
}

async function start(env: Record<string, string> = {}) {
  const service = spawnUploads(env);
  running.push(service);
  return { service, url: await service.url };
}

function head(length: number): string {
  return `POST /uploads HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${TYPE}\r\nContent-Length: ${length}\r\n\r\n`;
}

function part(name: string, content: string, fileName?: string): string {
  const file = fileName === undefined ? '' : `; filename="${fileName}"`;
  return `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}`;
}

async function post(url: string, parts: readonly string[]) {
  const body = parts.join('\r\n') + END;
  const { status, body: text } = parseAnswer(
    await readAll(openConnection(url, head(body.length) + body)),
  );
  return { status, text };
}

/** Sends all but the end of a body. `answer` is undefined while the service waits for it. */
function sendSlowly(url: string, body: string) {
  const socket = openConnection(url, head(body.length + END.length) + body);
  const upload = { socket, status: undefined as number | undefined };
  void readAll(socket).then((text) => {
    upload.status = parseAnswer(text).status;
  });
  return upload;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(10);
}

describe('the memory budget', () => {
  const CONTENT = 'x'.repeat(90 * KIB);
  let service: ServiceProcess;
  beforeAll(() => {
    service = spawnUploads({ BODY_LIMIT: String(100 * KIB), BODY_MEMORY: String(1024 * KIB) });
  });
  afterAll(async () => {
    service.child.kill('SIGKILL');
    await service.exited;
  });

  it.each([
    ['a field', part('text', CONTENT)],
    ['a file in memory', part('file', CONTENT, 'f')],
    ['many fields', Array.from({ length: 300 }, () => part('text', 'x'.repeat(200))).join('\r\n')],
  ])(
    'holds for any number of slow uploads of %s',
    async (_, body) => {
      const url = await service.url;
      for (const count of COUNTS) {
        const uploads = Array.from({ length: count }, () => sendSlowly(url, body));
        const refused = () => uploads.filter(({ status }) => status === 503).length;
        // The budget is for eleven bodies of 90 KiB, and fewer with small parts.
        await until(() => refused() >= count - 11);
        expect(uploads.filter(({ status }) => status !== undefined && status !== 503)).toEqual([]);
        for (const { socket } of uploads) socket.destroy();
      }
      await until(() => uploadFolders(temporary.path).length === 0);
      expect((await post(url, [body])).status).toBe(200);
    },
    30_000,
  );
});

describe('file descriptors', () => {
  /** Descriptors of the process besides its connections. */
  const countOf = ({ child }: ServiceProcess, connections: number) =>
    readdirSync(`/proc/${child.pid}/fd`).length - connections;

  itWithProc.each([
    ['many small files', Array.from({ length: 500 }, (_, at) => part('files', 'x', `${at}`))],
    ...(isTestAll
      ? ([['a large file', [part('file', 'x'.repeat(600 * KIB), 'f')]]] as [string, string[]][])
      : []),
  ])('do not grow with slow uploads of %s', async (_, parts) => {
    const { service, url } = await start({ BODY_MEMORY: String(256 * KIB * KIB) });
    await post(url, parts);
    const idle = countOf(service, 0);
    const body = parts.join('\r\n');
    for (const count of COUNTS) {
      const uploads = Array.from({ length: count }, () => sendSlowly(url, body));
      let most = 0;
      for (let sample = 0; sample < 50; sample++) {
        most = Math.max(most, countOf(service, count));
        await sleep(5);
      }
      // Eight writes, and the descriptors of a folder that is removed.
      expect([count, most < idle + 16]).toEqual([count, true]);
      for (const { socket } of uploads) socket.destroy();
      await until(() => uploadFolders(temporary.path).length === 0);
    }
  });
});

describe('a large file', () => {
  it('is in a temporary file until the response', async () => {
    const { url } = await start();
    const upload = sendSlowly(url, part('file', 'x'.repeat(600 * KIB), 'f'));
    await until(() => uploadFolders(temporary.path).length === 1);
    upload.socket.write(END);
    await until(() => upload.status !== undefined);
    expect(upload.status).toBe(200);
    await until(() => uploadFolders(temporary.path).length === 0);
  });

  itOnASmallDisk('gets 503 while the temporary disk is full', async () => {
    const { service, url } = await start({ TMPDIR: disk.path });
    const large = [part('file', 'x'.repeat(700 * KIB), 'f')];
    const filler = join(disk.path, 'filler');
    writeFileSync(filler, Buffer.alloc(600 * KIB));
    const { status, text } = await post(url, large);
    expect([status, text]).toEqual([503, expect.stringMatching(/no space for uploads/)]);
    await until(() => service.output().includes('ENOSPC'));
    expect(uploadFolders(disk.path)).toEqual([]);
    // Small files need no disk.
    expect((await post(url, [part('file', 'x'.repeat(KIB), 'f')])).status).toBe(200);
    rmSync(filler);
    expect(await post(url, large)).toEqual({ status: 200, text: String(700 * KIB) });
  });
});

describe('the start', () => {
  const LARGE = part('file', 'x'.repeat(600 * KIB), 'f');

  it('removes the uploads of a killed process, and keeps those of a running one', async () => {
    const [killed, other] = [await start(), await start()];
    sendSlowly(killed.url, LARGE);
    await until(() => uploadFolders(temporary.path).length === 1);
    const [leftover = ''] = uploadFolders(temporary.path);
    const upload = sendSlowly(other.url, LARGE);
    await until(() => uploadFolders(temporary.path).length === 2);
    const foreign = join(temporary.path, 'stubwright-uploads-of-a-user');
    writeFileSync(foreign, 'not a folder');
    killed.service.child.kill('SIGKILL');
    await killed.service.exited;
    await start();
    await until(() => !uploadFolders(temporary.path).includes(leftover));
    expect(uploadFolders(temporary.path)).toHaveLength(1);
    expect(readdirSync(temporary.path)).toContain(basename(foreign));
    upload.socket.write(END);
    await until(() => upload.status !== undefined);
    expect(upload.status).toBe(200);
  });

  it('keeps a folder that is being created', async () => {
    const folder = join(temporary.path, 'stubwright-uploads-new');
    mkdirSync(folder);
    const { url } = await start();
    await post(url, [LARGE]);
    expect(readdirSync(temporary.path)).toContain(basename(folder));
  });
});

describe('a stop', () => {
  it('leaves no temporary folder', async () => {
    const folder = join(temporary.path, 'own');
    mkdirSync(folder);
    const { service, url } = await start({ TMPDIR: folder });
    await post(url, [part('file', 'x'.repeat(600 * KIB), 'f')]);
    expect(readdirSync(folder)).toHaveLength(1);
    service.child.kill('SIGTERM');
    expect((await service.exited).code).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });
});
