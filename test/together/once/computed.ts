/** What is computed or read without any database. */
import '../../api/disconnects.test.ts';
import '../../importing/source.test.ts';
import '../../practice/days.test.ts';
