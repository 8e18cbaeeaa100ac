/** How the project is built, and files and judges without a database. */
import '../../files/csv.test.ts';
import '../../files/json-text.test.ts';
import '../../files/json.test.ts';
import '../../files/ndjson.test.ts';
import '../../house/boundaries.test.ts';
import '../../house/documents.test.ts';
import '../../house/overdue.test.ts';
import '../../house/shipping.test.ts';
import '../../house/sources.test.ts';
import '../../house/stores.test.ts';
import '../../house/uncaught.test.ts';
import '../../house/words.test.ts';
import '../../judges/addresses.test.ts';
import '../../judges/atcoder.test.ts';
import '../../judges/codeforces.test.ts';
import '../../judges/cses.test.ts';
import '../../judges/dmoj.test.ts';
