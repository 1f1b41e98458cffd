// Where the files of contracts are: on the disk, in a git revision or in memory. Paths are absolute.

export interface Sources {
  /** Precedes paths in messages: `HEAD~1:`, or nothing. */
  readonly prefix: string;
  /** True for a file and for a folder. */
  exists(path: string): boolean;
  /**
   * @returns the path without symbolic links
   * @throws {NodeJS.ErrnoException} if there is no such file or folder
   */
  realPath(path: string): string;
  /** @param path without symbolic links */
  kindOf(path: string): 'file' | 'folder' | 'other';
  /** @throws {NodeJS.ErrnoException} if the file cannot be read */
  read(path: string): Promise<Buffer>;
  /** @returns the top level of the repository of a folder; undefined outside of a repository */
  repositoryOf(folder: string): string | undefined;
}
