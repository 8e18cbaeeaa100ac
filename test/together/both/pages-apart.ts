/** What members may not see and what strangers send. */
import '../../web/apart.test.ts';
import '../../web/hostile-forms.test.ts';
