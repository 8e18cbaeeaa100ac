/** What script does in a browser, and how pages are made. */
import '../../web/browser.test.ts';
import '../../web/garden-drawing.test.ts';
import '../../web/markdown.test.ts';
import '../../web/markup.test.ts';
import '../../web/pages.test.ts';
import '../../web/problems-browser.test.ts';
import '../../web/shared-year.test.ts';
