// LD_PRELOAD: records what a process does to the files under DISK_ROOT, and fails calls on request.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAX_FDS 65536
#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

// Little-endian, followed by `length` bytes. powerCut.ts reads it.
struct record {
  int64_t offset;
  int32_t op, fd, created, length;
};

// How many calls still fail in each way; shim.ts writes them into the file DISK_FAULTS. FSYNC_PATTERN has
// a bit for each of the next calls, the lowest first: 1 fails. KILL_AFTER counts the records until the end.
enum { WRITE_EIO, WRITE_ENOSPC, WRITE_SHORT, FSYNC_EIO, FSYNC_KILL, FSYNC_PATTERN, KILL_AFTER, KINDS };

static const char *root;
static int log_fd = -1;
// Instead of a real fsync, waits for so long; -1 syncs.
static int sync_us = -1;
static volatile int32_t *left;
static char tracked[MAX_FDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void start(void) {
  const char *log = getenv("DISK_LOG"), *faults = getenv("DISK_FAULTS");
  const char *duration = getenv("DISK_SYNC_US");
  root = getenv("DISK_ROOT");
  if (duration) sync_us = atoi(duration);
  if (!root || !log || !faults) return;
  int fd = syscall(SYS_openat, AT_FDCWD, faults, O_RDWR | O_CLOEXEC);
  left = mmap(0, KINDS * sizeof *left, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (left == MAP_FAILED) abort();
  log_fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log_fd < 0) abort();
}

static int is_under_root(const char *path) {
  if (log_fd < 0 || !path) return 0;
  size_t length = strlen(root);
  return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int is_tracked(int fd) { return fd >= 0 && fd < MAX_FDS && tracked[fd]; }

static void record(char op, int fd, int64_t offset, const void *data, size_t length, int created) {
  struct record head = {offset, op, fd, created, (int32_t)length};
  struct iovec parts[] = {{&head, sizeof head}, {(void *)data, length}};
  if (syscall(SYS_writev, log_fd, parts, 2) != (long)(sizeof head + length)) abort();
  // Notes are no effects on the disk.
  if (op != 'N' && left[KILL_AFTER] > 0 && --left[KILL_AFTER] == 0) kill(getpid(), SIGKILL);
}

static int fails(int kind, int error) {
  if (left[kind] <= 0) return 0;
  left[kind]--;
  errno = error;
  return 1;
}

static int opened(int fd, const char *path, int existed) {
  if (fd < 0 || fd >= MAX_FDS) return fd;
  // libuv closes descriptors by the system call itself: this one may be used again.
  tracked[fd] = is_under_root(path);
  if (tracked[fd]) record('O', fd, 0, path, strlen(path), !existed);
  return fd;
}

#define OPEN(name)                                                         \
  int name(const char *path, int flags, ...) {                             \
    va_list arguments;                                                     \
    va_start(arguments, flags);                                            \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0; \
    va_end(arguments);                                                     \
    pthread_mutex_lock(&lock);                                             \
    int existed = access(path, F_OK) == 0;                                 \
    int fd = opened(REAL(name)(path, flags, mode), path, existed);         \
    pthread_mutex_unlock(&lock);                                           \
    return fd;                                                             \
  }
OPEN(open)
OPEN(open64)

int close(int fd) {
  if (!is_tracked(fd)) return REAL(close)(fd);
  pthread_mutex_lock(&lock);
  tracked[fd] = 0;
  record('C', fd, 0, 0, 0, 0);
  int result = REAL(close)(fd);
  pthread_mutex_unlock(&lock);
  return result;
}

static ssize_t write_at(int fd, const void *data, size_t length, off64_t offset) {
  if (!is_tracked(fd)) return REAL(pwrite64)(fd, data, length, offset);
  ssize_t written = -1;
  pthread_mutex_lock(&lock);
  if (!fails(WRITE_EIO, EIO) && !fails(WRITE_ENOSPC, ENOSPC)) {
    if (length > 1 && fails(WRITE_SHORT, 0)) length /= 2;
    written = REAL(pwrite64)(fd, data, length, offset);
    if (written > 0) record('W', fd, offset, data, written, 0);
  }
  pthread_mutex_unlock(&lock);
  return written;
}
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  return write_at(fd, data, length, offset);
}
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
  return write_at(fd, data, length, offset);
}

// Not at an offset: a note of the program, between its effects on the disk.
ssize_t write(int fd, const void *data, size_t length) {
  if (!is_tracked(fd)) return REAL(write)(fd, data, length);
  pthread_mutex_lock(&lock);
  record('N', fd, 0, data, length, 0);
  pthread_mutex_unlock(&lock);
  return length;
}

static int truncate_to(int fd, off64_t length) {
  if (!is_tracked(fd)) return REAL(ftruncate64)(fd, length);
  pthread_mutex_lock(&lock);
  int result = REAL(ftruncate64)(fd, length);
  if (result == 0) record('T', fd, length, 0, 0, 0);
  pthread_mutex_unlock(&lock);
  return result;
}
int ftruncate64(int fd, off64_t length) { return truncate_to(fd, length); }
int ftruncate(int fd, off_t length) { return truncate_to(fd, length); }

static int next_of_pattern(void) {
  uint32_t pattern = left[FSYNC_PATTERN];
  left[FSYNC_PATTERN] = pattern >> 1;
  return pattern & 1;
}

// Only what was written before B is durable after S, or forgotten after F.
static int sync_file(int fd, int (*sync)(int)) {
  if (!is_tracked(fd)) return sync(fd);
  pthread_mutex_lock(&lock);
  if (fails(FSYNC_KILL, 0)) kill(getpid(), SIGKILL);
  record('B', fd, 0, 0, 0, 0);
  int has_failed = next_of_pattern() || fails(FSYNC_EIO, EIO), result = 0;
  pthread_mutex_unlock(&lock);
  if (sync_us >= 0) usleep(sync_us);
  else if (!has_failed) result = sync(fd);
  pthread_mutex_lock(&lock);
  if (has_failed) {
    record('F', fd, 0, 0, 0, 0);
    result = -1;
    errno = EIO;
  } else if (result == 0) {
    record('S', fd, 0, 0, 0, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}
int fsync(int fd) { return sync_file(fd, REAL(fsync)); }
int fdatasync(int fd) { return sync_file(fd, REAL(fdatasync)); }

#define CHANGE_NAME(name, op, parameters, arguments, path)  \
  int name parameters {                                     \
    if (!is_under_root(path)) return REAL(name) arguments;  \
    pthread_mutex_lock(&lock);                              \
    int result = REAL(name) arguments;                      \
    if (result == 0) record(op, -1, 0, path, strlen(path), 0); \
    pthread_mutex_unlock(&lock);                            \
    return result;                                          \
  }
CHANGE_NAME(unlink, 'U', (const char *path), (path), path)
CHANGE_NAME(mkdir, 'M', (const char *path, mode_t mode), (path, mode), path)

int rename(const char *from, const char *to) {
  if (!is_under_root(from)) return REAL(rename)(from, to);
  pthread_mutex_lock(&lock);
  int result = REAL(rename)(from, to);
  if (result == 0) {
    record('R', -1, 0, from, strlen(from), 0);
    record('r', -1, 0, to, strlen(to), 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}
