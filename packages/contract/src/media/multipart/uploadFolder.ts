// Temporary files of uploads: a folder per process, which the next process removes if this one is killed.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { appendFile, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unavailable } from '../../errors/problem.ts';

const PREFIX = 'stubwright-uploads-';
/** For a process that cannot mark its folder: no process removes it. */
const UNMARKED_PREFIX = 'stubwright-unmarked-';
/** A Unix domain socket that accepts connections while its process lives, in all process namespaces. */
const MARK = 'alive';
/** Time between the creation of a folder and of its mark. */
const MARK_MS = 60_000;
/** Limits the open file descriptors: Node's thread pool runs four operations at a time. */
const LANES = 8;

/** No space, quota or file descriptor. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE']);

let processFolder: Promise<string> | undefined;
const lanes = Array.from({ length: LANES }, () => Promise.resolve());
let writes = 0;

/** The temporary files of one request. The folder is created with the first file. */
export class UploadFolder {
  #folder: Promise<string> | undefined;

  /**
   * Opens the file, appends, and closes it: a slow client holds no file descriptor.
   *
   * @param path undefined for a new file
   * @returns the path of the file
   * @throws {Problem} 50300 if the disk is full
   */
  async append(path: string | undefined, bytes: Buffer): Promise<string> {
    try {
      this.#folder ??= createFolder();
      const file = path ?? join(await this.#folder, randomUUID());
      await inLane(() => appendFile(file, bytes));
      return file;
    } catch (error) {
      const isFull = FULL.has((error as NodeJS.ErrnoException).code ?? '');
      throw isFull ? unavailable('no space for uploads, try again', 1, error) : error;
    }
  }

  async remove(): Promise<void> {
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function createFolder(): Promise<string> {
  const inProcessFolder = async () => {
    processFolder ??= createProcessFolder();
    return mkdtemp(join(await processFolder, 'upload-'));
  };
  try {
    return await inProcessFolder();
  } catch (error) {
    processFolder = undefined;
    // The system may remove old folders.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return inProcessFolder();
    throw error;
  }
}

function inLane(write: () => Promise<void>): Promise<void> {
  const lane = writes++ % LANES;
  const written = lanes[lane]!.then(write);
  lanes[lane] = written.catch(() => {});
  return written;
}

/** Removes the folders of processes that were killed. Errors are ignored. */
export async function removeLeftovers(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((name) => name.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    if (await isAbandoned(folder)) await rm(folder, { recursive: true }).catch(() => {});
  }
}

async function createProcessFolder(): Promise<string> {
  void removeLeftovers();
  let folder = await mkdtemp(join(tmpdir(), PREFIX));
  if (!(await mark(folder))) {
    await rm(folder, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), UNMARKED_PREFIX));
  }
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** @returns false if the path is too long for a socket, or the file system has no sockets */
function mark(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    createServer((socket) => socket.destroy())
      .on('error', () => resolve(false))
      .listen(join(folder, MARK), () => resolve(true))
      .unref();
  });
}

async function isAbandoned(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(() => undefined);
  if (!stats?.isDirectory() || stats.uid !== process.getuid?.()) return false;
  const code = await connectionError(join(folder, MARK));
  if (code === 'ENOENT') return Date.now() - stats.mtimeMs > MARK_MS;
  return code === 'ECONNREFUSED';
}

/** @returns undefined for a successful connection */
function connectionError(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path)
      .on('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
      .on('connect', () => {
        socket.destroy();
        resolve(undefined);
      });
  });
}
