/** The description of the interface, and its client. */
import '../../client/cache.test.ts';
import '../../client/errors.test.ts';
import '../../client/json.test.ts';
import '../../client/operations.test.ts';
import '../../client/package.test.ts';
import '../../client/pages.test.ts';
import '../../client/schema.test.ts';
import '../../contract/client.test.ts';
import '../../contract/compatibility.test.ts';
import '../../contract/examples.test.ts';
import '../../contract/openapi.test.ts';
import '../../contract/samples.test.ts';
import '../../sample-facts.test.ts';
