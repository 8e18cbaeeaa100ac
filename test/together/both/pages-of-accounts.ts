/** Pages on which people come in, and of their account and the staff. */
import '../../web/account.test.ts';
import '../../web/backups.test.ts';
import '../../web/doors.test.ts';
import '../../web/handles.test.ts';
import '../../web/one-time.test.ts';
import '../../web/openid.test.ts';
import '../../web/proofs.test.ts';
import '../../web/staff.test.ts';
