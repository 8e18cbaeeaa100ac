/** npm run bench -- size | import: what the program costs (docs/performance.md). */
import { benchImport } from './import.ts';
import { benchSize } from './size.ts';

const [what, size] = process.argv.slice(2);
const largeSize = Number(size ?? 1_000_000);

if (what === 'size' && Number.isInteger(largeSize) && largeSize >= 1000) await benchSize(largeSize);
else if (what === 'import' && size === undefined) await benchImport();
else {
  process.stderr.write('usage: npm run bench -- size [problems, at least 1000] | import\n');
  process.exitCode = 2;
}
