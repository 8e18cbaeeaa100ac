/** Parts of pages in a browser. */
import '../../web/account-looks.test.ts';
import '../../web/groups-looks.test.ts';
import '../../web/handles-looks.test.ts';
import '../../web/hostile-looks.test.ts';
import '../../web/openid-looks.test.ts';
import '../../web/print-looks.test.ts';
import '../../web/proofs-looks.test.ts';
import '../../web/staff-looks.test.ts';
import '../../web/uploads-looks.test.ts';
