/** Pages that take files. */
import '../../web/first-day.test.ts';
import '../../web/limits.test.ts';
import '../../web/uploads-archive.test.ts';
import '../../web/uploads-processes.test.ts';
import '../../web/uploads-turns.test.ts';
import '../../web/uploads.test.ts';
