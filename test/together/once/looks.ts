/** Every page in a browser. */
import '../../web/looks.test.ts';
