// The temporary files of uploads on a full disk, and after a process that was killed.
import { existsSync, mkdirSync, rmdirSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { removeLeftovers, UploadFolder } from '../src/media/multipart/uploadFolder.ts';

describe('the folder of uploads', () => {
  /** A file that is always full, on Linux. */
  const FULL = '/dev/full';

  (existsSync(FULL) ? it : it.skip)('responds with 503 when it is full', async () => {
    const appended = new UploadFolder().append(FULL, Buffer.from('a'));
    await expect(appended).rejects.toMatchObject({
      ...{ status: 503, number: 50300, message: 'no space for uploads, try again' },
      ...{ headers: { 'Retry-After': '1' }, cause: { code: 'ENOSPC' } },
    });
    await expect(new UploadFolder().append('/none/a', Buffer.from('a'))).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });

  it('of a killed process is removed by the next one', async () => {
    const [old, young, other] = ['uploads-a', 'uploads-b', 'other-a'].map((name) => {
      const folder = join(tmpdir(), `stubwright-${name}-${process.pid}`);
      mkdirSync(folder);
      return folder;
    });
    const hour = Date.now() / 1000 - 3600;
    for (const folder of [old!, other!]) utimesSync(folder, hour, hour);
    await removeLeftovers();
    expect([old!, young!, other!].map((folder) => existsSync(folder))).toEqual([false, true, true]);
    for (const folder of [young!, other!]) rmdirSync(folder);
  });
});
