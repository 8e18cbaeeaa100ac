/** Addresses of problems: judges, the address book and any other site give each problem one name, whatever is sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pageAt, parseContestLink, parseProblemAddress, problemAt, readHandle } from '../../src/judges/addresses.ts';
import { judges } from '../../src/judges/judges.ts';
import { needsData, readReal } from '../support/real-data.ts';

const none = new Map();
const nameOf = (address: string) => {
  const { source, key } = problemAt(address, none) ?? {};
  return source === undefined ? undefined : `${source} ${key}`;
};

/** Addresses of one problem each. */
const same: Readonly<Record<string, readonly string[]>> = {
  'codeforces 4A': [
    'https://codeforces.ru/contests/4/problem/A',
    'https://codeforces.me/contest/4/problem/A',
    'https://vjudge.pond.example/problem/CodeForces-4A',
    'https://codeforces.com/contest/4/problem/A;math;800',
    'https://codeforces.com/contest/4/problem/A，很好',
    'https://codeforces.com/contest/4/problem/A를 풀자',
    'https://codeforces.com/contest/4/problem/A%EF%BC%89',
    '<https://codeforces.com/contest/4/problem/A>',
    '_https://codeforces.com/contest/4/problem/A_',
    'see https://codeforces.com/contest/4/problem/A today',
    'http://https://codeforces.com/contest/4/problem/A',
    'https://www.google.de/url?sa=t&url=https%3A%2F%2Fcodeforces.com%2Fcontest%2F4%2Fproblem%2FA&usg=x',
    'https://codeforces-com.translate.goog/contest/4/problem/A?_x_tr_sl=ru&_x_tr_tl=en',
    'https://web.archive.org/web/2024id_/http://codeforces.com/problemset/problem/4/A',
    'https://web.archive.org/web/2024/codeforces.com/contest/4/problem/A',
    'https://link.zhihu.com/?target=https%3A//codeforces.com/contest/4/problem/A',
    'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fcodeforces.com%2Fcontest%2F4%2Fproblem%2FA&data=05',
    'https://urldefense.com/v3/__https://codeforces.com/contest/4/problem/A__;!!a$',
    'https://www.bing.com/ck/a?p=1&u=a1aHR0cHM6Ly9jb2RlZm9yY2VzLmNvbS9jb250ZXN0LzQvcHJvYmxlbS9B&ntb=1',
    'https://translated.turbopages.org/proxy_u/ru-en/https/codeforces.com/contest/4/problem/A',
    'https://relay.example/go?to=https://codeforces.com/contest/4/problem/A',
    'https://codeforces.com/problemset/problem/4/A?locale=en',
    'http://www.codeforces.com/contest/4/problem/a',
    'https://m1.codeforces.com/contest/4/problem/A',
    'https://mirror.codeforces.com/problemset/problem/4/A/',
    'https://codeforc.es/contest/4/problem/A',
    'https://codeforces.net/contest/4/problem/A',
    'https://codeforces.com/group/MWSDmqGsZm/contest/4/problem/A',
    'https://vjudge.net/problem/CodeForces-4A',
    'https://vjudge.net.cn/problem/codeforces-4a#author=0',
    'https://www.luogu.com.cn/problem/CF4A',
    'codeforces.com/contest/4/problem/A',
    'https://codeforces.com./contest/4/problem/A',
  ],
  'codeforces 104385A': [
    'https://codeforces.com/gym/104385/problem/A',
    'https://codeforces.com/problemset/gymProblem/104385/A',
    'https://vjudge.net/problem/Gym-104385A',
    'https://acm.njupt.edu.cn/problem/GYM104385A',
  ],
  'codeforces 92101': [
    'https://codeforces.com/contest/921/problem/01',
    'https://codeforces.com/problemset/problem/921/01',
  ],
  'codeforces 279982C': ['https://codeforces.com/edu/course/2/lesson/4/1/practice/contest/279982/problem/C'],
  'codeforces acmsguru-140': [
    'https://codeforces.com/problemsets/acmsguru/problem/99999/140',
    'https://vjudge.net/problem/SGU-140',
  ],
  'atcoder arc083_b': [
    'https://atcoder.jp/contests/arc083/tasks/arc083_b—hard',
    'https://atcoder.jp/contests/arc083/tasks/arc083_b?lang=ja',
    'https://beta.atcoder.jp/contests/arc083/tasks/arc083_b',
    'https://www.atcoder.jp/contests/arc083/tasks/arc083_b/',
    'https://vjudge.net/problem/AtCoder-arc083_b',
    'https://www.luogu.com.cn/problem/AT_arc083_b',
  ],
  'vjudge contest/480959/A': [
    'https://vjudge.net/contest/480959#problem/A',
    'https://vjudge.net.cn/contest/480959?from=list#problem/a',
  ],
  'leetcode two-sum': [
    'https://leetcode-cn.com/problems/two-sum/',
    'https://leetcode.com/problems/two-sum/',
    'https://leetcode.cn/problems/Two-Sum/description/?envType=daily',
    'https://leetcode.com/contest/weekly-contest-1/problems/two-sum',
    'leetcode.com/problems/two-sum',
  ],
  'uva 199': [
    'http://acm.uva.es/p/v1/199.html',
    'https://www.udebug.com/UVa/199',
    'https://vjudge.net/problem/UVA-199',
    'https://onlinejudge.org/external/1/p199.pdf',
  ],
  'uva pid:36': [
    'https://onlinejudge.org/index.php?option=com_onlinejudge&Itemid=8&category=3&page=show_problem&problem=36',
    'https://uva.onlinejudge.org/index.php?option=onlinejudge&problem=36&page=show_problem',
  ],
  'kattis ads': [
    'https://open.kattis.com/problems/ads',
    'https://kattis.com/problems/ads',
    'https://vjudge.net/problem/Kattis-ads',
  ],
  'spoj LCMSUM': [
    'http://www.spoj.com/problems/LCMSUM/en/',
    'https://www.spoj.pl/problems/LCMSUM/',
    'https://www.spoj.com/problems/LCMSUM/',
    'http://spoj.com/VNOI/problems/lcmsum/',
    'https://vjudge.net/problem/SPOJ-LCMSUM',
  ],
  'aoj CGL_1_A': [
    'https://onlinejudge.u-aizu.ac.jp/courses/library/4/CGL/1/CGL_1_A',
    'https://judge.u-aizu.ac.jp/onlinejudge/description.jsp?id=CGL_1_A&lang=ja',
    'https://onlinejudge.u-aizu.ac.jp/courses/lesson/2/CGL/1/CGL_1_A',
    'https://onlinejudge.u-aizu.ac.jp/problems/CGL_1_A',
    'https://vjudge.net/problem/Aizu-CGL_1_A',
  ],
  'cses 1068': [
    'https://cses.fi/problemset/task/1068',
    'https://vjudge.net/problem/CSES-1068/origin',
    'https://cses.fi/problemset/stats/1068/',
    'https://cses.fi/problemset/task/1068,intro',
    'https://cses.fi/problemset/task/1068）',
  ],
  'dmoj ccc00s1': ['https://dmoj.ca/problem/ccc00s1', 'https://vjudge.net/problem/DMOJ-CCC00S1'],
  'boj 1000': [
    'https://www.acmicpc.net/problem/1000',
    'https://vjudge.net/problem/Baekjoon-1000',
    'https://noj.am/1000',
    'https://icpc.me/1000',
  ],
  'toph subset-and': ['https://toph.co/p/subset-and', 'https://vjudge.net/problem/Toph-subset-and#author=0'],
  'beecrowd 1001': [
    'https://www.urionlinejudge.com.br/judge/pt/problems/view/1001',
    'https://judge.beecrowd.com/en/problems/view/1001',
    'https://www.beecrowd.com.br/judge/pt/problems/view/1001',
    'https://www.udebug.com/URI/1001',
  ],
  'usaco 840': [
    'http://usaco.org/index.php?page=viewproblem2&cpid=840',
    'https://www.usaco.org/index.php?cpid=840&page=viewproblem2&lang=en',
  ],
  'timus 1098': [
    'https://timus.online/problem.aspx?space=1&num=1098',
    'https://translate.google.com/translate?u=https://acm.timus.ru/problem.aspx?space=1&num=1098',
    'https://acm.timus.ru/problem.aspx?space=1&num=1098&locale=ru',
    'https://vjudge.net/problem/URAL-1098',
  ],
  // Contests of Timus number their problems from 1.
  'acm.timus.ru problem.aspx?num=3&space=107': ['https://acm.timus.ru/problem.aspx?space=107&num=3'],
  'acm.timus.ru problem.aspx?num=3&space=108': ['https://acm.timus.ru/problem.aspx?num=3&space=108'],
  'library-checker aplusb': ['https://judge.yosupo.jp/problem/aplusb', 'https://old.yosupo.jp/problem/aplusb'],
  'tlx troc-16/A': ['https://tlx.toki.id/contests/troc-16/problems/A', 'https://tlx.toki.id/problems/troc-16/A'],
  'luogu P1001': [
    'https://www.luogu.com/problemnew/show/P1001',
    'https://www.luogu.org/problem/show?pid=1001',
    'https://m.luogu.com.cn/problem/solution/P1001',
    'https://www.luogu.com.cn/problem/P1001',
    'https://vjudge.net/problem/洛谷-P1001',
    'https://vjudge.net/problem/%e6%b4%9b%e8%b0%b7-p1001#author=0',
  ],
  'vjudge %E8%AE%A1%E8%92%9C%E5%AE%A2-T1001': [
    'https://vjudge.net/problem/计蒜客-T1001',
    'https://vjudge.net/problem/%e8%ae%a1%e8%92%9c%e5%ae%a2%2DT1001',
  ],
  'vjudge ZOJ-3209': ['https://vjudge.net/problem/ZOJ-3209'],
  'codeforces 101021-1': ['https://codeforces.com/gym/101021/problem/1'],
  'codeforces 100520-1A': ['https://codeforces.com/gym/100520/problem/1a'],
  'leetcode XltzEq': ['https://leetcode.cn/problems/XltzEq/description/'],
  'codechef LAPIN': [
    'https://www.codechef.com/practice/course/strings/STRINGS/problems/LAPIN',
    'https://www.codechef.com/learn/course/strings/STRINGS1/problems/lapin?tab=statement',
  ],
  'br.spoj.com problems/OBIHANOI': ['https://br.spoj.com/problems/OBIHANOI/'],
  'aoj 0033': [
    'https://onlinejudge.u-aizu.ac.jp/challenges/search/titles/0033',
    'http://rose.u-aizu.ac.jp/onlinejudge/ProblemSet/description.jsp?id=0033',
  ],
  'cses.fi 241/task/C': ['https://cses.fi/241/task/C'],
  'acmicpc.net contest/problem/1020/3': ['https://www.acmicpc.net/contest/problem/1020/3'],
  'eolymp 7': [
    'https://www.eolymp.com/uk/problems/7',
    'https://basecamp.eolymp.com/en/problems/7',
    'https://www.e-olymp.com/en/problems/7',
  ],
  'eolymp compete/spring/7': ['https://basecamp.eolymp.com/en/compete/spring/problem/7'],
  'lightoj 1284': ['http://lightoj.com/volume_showproblem.php?problem=1284'],
  'uoj 514': ['https://uoj.ac/contest/51/problem/514'],
  'omegaup sumas': [
    'https://omegaup.com/arena/spring/practice/#problems/sumas',
    'https://omegaup.com/arena/problem/sumas/',
  ],
  'geeksforgeeks.org problems/reverse-a-string/1': [
    'https://www.geeksforgeeks.org/problems/reverse-a-string/0?page=1',
    'https://practice.geeksforgeeks.org/problems/reverse-a-string',
  ],
  'naukri.com code360/problems/ninja_1': [
    'https://www.naukri.com/code360/problems/ninja_1',
    'https://www.codingninjas.com/studio/problems/ninja_1?leftPanelTab=0',
  ],
  'train.usaco.org usacoprob2?S=gift1': [
    'https://train.usaco.org/usacoprob2?a=Xyz&S=gift1',
    'https://usaco.training/usacoprob2?S=gift1',
  ],
  'ac.nowcoder.com acm/contest/11/B': ['https://ac.nowcoder.com/acm/contest/11/B'],
  'yukicoder.me problems/17': ['https://yukicoder.me/problems/17'],
  'contest.lagos.example 2026/final/bridges': [
    'https://contest.lagos.example/2026/final/bridges',
    'http://www.contest.lagos.example/2026/final/bridges/?utm_source=chat&fbclid=x&lang=en#part-b',
    'https://CONTEST.LAGOS.example/%32026/final/bridges',
  ],
  'oj.example:8088 show.php?cid=1&pid=2': [
    'http://oj.example:8088/show.php?pid=2&cid=1',
    'http://oj.example:8088/show.php?cid=1&locale=en&pid=2',
  ],
  'spa.example judge#/problem/1': ['https://spa.example/judge/#/problem/1', 'http://spa.example/judge#/problem/1/'],
  'pond.example gcj/problems#B': ['https://pond.example/gcj/problems/#B'],
  'pond.example gcj#s=p1': ['https://pond.example/gcj#s=p1'],
  'pond.example gcj': ['https://pond.example/gcj#statement', 'https://pond.example/gcj（hard）'],
  'spa.example #!/problem/2': ['https://spa.example/#!/problem/2'],
  'xn--bcher-kva.example p/1': ['https://bücher.example/p/1', 'https://xn--bcher-kva.example/p/1'],
};

test('every address of a problem gives it one name', () => {
  for (const [name, addresses] of Object.entries(same))
    for (const address of addresses) assert.equal(nameOf(address), name, address);
});

/** Addresses that are no problem, by what they are. */
const pages: Readonly<Record<string, readonly string[]>> = {
  contest: [
    'https://codeforces.com/contest/1459',
    'https://www.google.com/url?q=https://atcoder.jp/contests/abc101',
    'https://atcoder.jp/contests/abc101/tasks',
    'https://leetcode-cn.com/contest/weekly-contest-3/',
    'https://www.codechef.com/START9C',
    'https://onlinejudge.u-aizu.ac.jp/contests/spring',
  ],
  standings: ['https://codeforces.com/contest/1459/standings/page/2', 'https://dmoj.ca/contest/spring/ranking/'],
  submission: [
    'https://codeforces.com/contest/1459/submission/99',
    'https://atcoder.jp/contests/abc101/submissions/me',
    'https://cses.fi/problemset/result/7654321/',
    'https://www.acmicpc.net/problem/status/1001',
    'https://vjudge.net/solution/31',
  ],
  post: [
    'https://codeforces.com/blog/entry/3',
    'https://discuss.codechef.com/t/pond-editorial/3',
    'https://atcoder.jp/contests/abc101/editorial/5',
  ],
  profile: [
    'https://codeforces.com/profile/pond',
    'https://www.codechef.com/users/pond',
    'https://vjudge.net/user/pond',
  ],
  signIn: ['https://codeforces.com/enter?back=%2Fcontest%2F1459%2Fproblem%2FA', 'https://leetcode.com/accounts/login/'],
  start: ['https://codeforces.com/contest/1459/problem/0'],
  site: [
    'https://leetcode.com/studyplan/top-interview-150/',
    'https://onlinejudge.u-aizu.ac.jp/courses/library/5/GRL/6',
    'https://www.spoj.com/problems/classical/',
    'https://cses.fi/problemset/list/',
  ],
  shortLink: ['https://bit.ly/3abc', 'https://t.co/x'],
  elsewhere: [
    'https://github.com/pond/pond/blob/main/a.cpp',
    'https://de.wikipedia.org/wiki/Teich',
    'https://youtu.be/x',
  ],
};

test('a page of a known site that is no problem is named for what it is, and never becomes one by its host', () => {
  for (const [kind, addresses] of Object.entries(pages))
    for (const address of addresses)
      assert.deepEqual([nameOf(address), pageAt(address, none)?.kind], [undefined, kind], address);
  const hosts = [
    'codeforces.com',
    'm1.codeforces.com',
    'atcoder.jp',
    'www.spoj.com',
    'leetcode.cn',
    'cses.fi',
    'acm.timus.ru',
  ];
  const words = ['contest', 'problem', '4', 'x', 'standings', 'blog', ',', 'a=b', '%20', 'https:'];
  fc.assert(
    fc.property(fc.constantFrom(...hosts), fc.array(fc.constantFrom(...words), { maxLength: 6 }), (host, parts) => {
      for (const separator of ['/', '?', '#'])
        assert.notEqual(problemAt(`https://${host}/${parts.join(separator)}`, none)?.matchedBy, 'host');
    }),
  );
});

test('the start of a round is the problem whose letter its title has', () => {
  const start = 'https://codeforces.com/contest/1459/problem/0';
  assert.equal(problemAt(start, none, 'B1. Move and Turn')?.key, '1459B1');
  assert.equal(problemAt('https://codeforces.com/contest/1459/problem/C', none, 'A. Pond')?.key, '1459C');
  for (const title of ['', 'Move and Turn', 'A.Pond']) assert.equal(problemAt(start, none, title), undefined, title);
});

test('an address inside another counts once, and only a redirect leads to a site that nobody knows', () => {
  const inner = 'https%3A%2F%2Fclub.example%2Fp%2F1';
  assert.equal(nameOf(`https://l.facebook.com/l.php?u=${inner}&h=x`), 'club.example p/1');
  assert.equal(nameOf(`https://pond.example/go?u=${inner}`), `pond.example go?u=${inner}`);
  const twice = encodeURIComponent('https://www.google.com/url?q=https%3A%2F%2Fcses.fi%2Fproblemset%2Ftask%2F1068');
  assert.equal(nameOf(`https://l.facebook.com/l.php?u=${twice}`), undefined);
});

test('a page at an unknown site that looks like none of a problem is doubtful', () => {
  const isDoubtful = (address: string) => problemAt(address, none)?.isDoubtful ?? false;
  for (const path of ['blog/7', 'users/pond', 'contest/3/standings', 'login', 'editorial/2'])
    assert.equal(isDoubtful(`https://pond.example/${path}`), true, path);
  for (const path of ['blog/problem/7', 'p/7', 'bridges', 'status.php?problem=2', 'users2/7', 'solutions-of-pond'])
    assert.equal(isDoubtful(`https://pond.example/${path}`), false, path);
});

test('percent signs for letters, unseen signs and repeated strokes change no name', () => {
  const addresses = Object.entries(same).flatMap(([name, addresses]) => addresses.map((one) => ({ name, one })));
  const change = fc.constantFrom('letter', 'sign', 'stroke');
  const sign = fc.constantFrom('\u200b', '\u200e', '\u200f', '\u202e', '\u2066', '\u2069', '\ufeff');
  fc.assert(
    fc.property(fc.constantFrom(...addresses), change, fc.nat(), sign, ({ name, one }, change, nth, sign) => {
      const start = one.indexOf('/', one.indexOf('//') < 0 ? 0 : one.indexOf('//') + 2);
      const place = start + (nth % (one.length - start));
      const letter = one.charAt(place);
      const code = `%${letter.charCodeAt(0).toString(16)}`;
      let sent = one.slice(0, place) + sign + one.slice(place);
      if (change === 'letter' && /[a-z\d]/i.test(letter) && !/%.?$/.test(one.slice(0, place)))
        sent = one.slice(0, place) + code + one.slice(place + 1);
      if (change === 'stroke' && !name.includes('.')) sent = `${one.slice(0, start)}/${one.slice(start)}`;
      assert.equal(nameOf(sent), name, JSON.stringify([sent, one]));
    }),
    { numRuns: 10_000 },
  );
});

test('a name that only resembles a site is another site, and words are no address', () => {
  for (const other of ['https://codeforces.es/contest/4/problem/A', 'https://notcodeforces.com/contest/4/problem/A'])
    assert.match(nameOf(other) ?? '', /^(?:codeforces\.es|notcodeforces\.com) contest/);
  for (const text of [
    'and/or',
    'x.example/problem/a',
    'https://codeforces.com/',
    'ftp://a.example/b',
    'https://me:pw@a.example/b',
  ])
    assert.equal(nameOf(text), undefined, text);
});

test('a link that somebody gives alone is a problem, or a sentence says what is wrong with it', () => {
  assert.equal(parseProblemAddress(' codeforces.com/contest/4/problem/A ', none).key, '4A');
  assert.equal(parseProblemAddress('10.0.4.12/contest/3', none).source, '10.0.4.12');
  const refusals: readonly [string, RegExp][] = [
    ['javascript:alert(1)', /^Enter a link/],
    ['mailto:ada@club.example', /^Enter a link/],
    ['', /^Enter a link/],
    ['watermelon', /^Enter a link/],
    ['https://user:pw@club.example/p/1', /user name/],
    [`https://club.example/${'x'.repeat(2001)}`, /up to 2000/],
    [`https://club.example/${'x'.repeat(300)}`, /whole site or is too long/],
    ['https://codeforces.com/contest/4', /^This is a contest, not a problem\. Make a round of it, or/],
    ['codeforces.com/profile/pond', /^This is a profile, not a problem\. To link your handle, enter it under/],
    ['https://www.codechef.com/users/pond', /^This is a profile, not a problem\. Open the problem/],
    ['https://leetcode.com/explore/', /^This is a page of LeetCode, not a problem\./],
    ['https://bit.ly/x', /^This is a short link, not a problem\. Open the problem and copy its link\.$/],
    ['https://club.example/', /whole site/],
  ];
  for (const [address, sentence] of refusals)
    assert.throws(() => parseProblemAddress(address, none), { code: 'invalidValue', message: sentence }, address);
});

test('no address throws, and none has a name that its own page has not', () => {
  const hosts = [
    'codeforces.com',
    'vjudge.net',
    'spoj.com',
    'onlinejudge.org',
    'x.example',
    'bücher.example',
    '[::1]',
    '127.0.0.1:99',
  ];
  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      'problem',
      'contest',
      '4',
      'A',
      '%2e%2e',
      '%',
      '%zz',
      '\u202e',
      '..',
      'CF4A',
      '?id=1&id=2',
      '#x',
      '\\evil',
      '//',
    ),
  );
  const address = fc
    .tuple(
      fc.constantFrom('https://', 'HTTP://', '', 'https:\\\\'),
      fc.constantFrom(...hosts),
      fc.array(part, { maxLength: 8 }),
    )
    .map(([scheme, host, parts]) => `${scheme}${host}/${parts.join('/')}`);
  fc.assert(
    fc.property(address, (one) => {
      const found = problemAt(one, none);
      if (!found) return;
      assert.ok(found.key.length > 0 && found.key.length <= 200);
      assert.match(found.source, /^[\x21-\x7e]+$/);
      assert.doesNotMatch(found.key, /[\s\p{C}]/u);
      assert.match(found.url, /^https?:\/\/[^\s\p{C}]+$/u);
      const again = problemAt(found.url, none);
      if (found.matchedBy === 'host') assert.deepEqual([again?.source, again?.key], [found.source, found.key]);
    }),
    { numRuns: 10_000 },
  );
});

test('real addresses of 60 sites are problems, but for those without an address of their own', needsData, async () => {
  const rows = (await readReal('reach/address-book/companion-addresses.tsv')).trim().split('\n').slice(1);
  assert.ok(rows.length >= 170);
  const lost = rows.map((row) => row.split('\t')[1] ?? '').filter((address) => nameOf(address) === undefined);
  assert.deepEqual(lost, []);
  const names = new Set(rows.map((row) => nameOf(row.split('\t')[1] ?? '')));
  assert.ok(names.size >= 140, `${names.size} problems`);
});

test('a contest is known at the whole name of its host too, which ends in a dot', () => {
  for (const host of ['codeforces.com', 'codeforces.com.', 'https://codeforces.com.'])
    assert.deepEqual(parseContestLink(`${host}/contest/1459`, new Map()), { source: 'codeforces', key: '1459' }, host);
});

test('a contest of DMOJ is known at the site that the garden has instead, and one of LeetCode at either site', () => {
  const club = new Map([['dmoj', { url: 'https://judge.club.example/oj' }]]);
  for (const [address, places, found] of [
    ['https://dmoj.ca/contest/bts19', new Map(), { source: 'dmoj', key: 'bts19' }],
    ['https://judge.club.example/oj/contest/spring/ranking/', club, { source: 'dmoj', key: 'spring' }],
    ['https://judge.club.example/contest/spring', club, undefined],
    ['https://dmoj.ca/contest/spring', club, undefined],
    ['https://leetcode.cn/contest/Weekly-Contest-408/', new Map(), { source: 'leetcode', key: 'weekly-contest-408' }],
    ['https://codeforces.ru/contests/1459，', new Map(), { source: 'codeforces', key: '1459' }],
    [
      'https://vk.com/away.php?to=https%3A%2F%2Fdmoj.ca%2Fcontest%2Fspring',
      new Map(),
      { source: 'dmoj', key: 'spring' },
    ],
  ] as const)
    assert.deepEqual(parseContestLink(address, places), found, address);
});

test('the link to a profile is its handle at every judge, and other links are refused with a sentence', () => {
  const profiles: Readonly<Record<string, readonly string[]>> = {
    codeforces: [
      'https://codeforces.com/profile/pond.3',
      'm1.codeforces.com/submissions/pond.3',
      'https://codeforces.ru/profile/pond.3',
    ],
    atcoder: [
      'https://atcoder.jp/users/pond_3?lang=ja',
      'https://kenkoooo.com/atcoder/#/user/pond_3?userPageTab=Summary',
    ],
    dmoj: ['https://dmoj.ca/user/pond_3', 'https://judge.club.example/oj/user/pond_3/solved'],
    uva: ['https://uhunt.onlinejudge.org/u/pond%203'],
    aoj: [
      'https://onlinejudge.u-aizu.ac.jp/status/users/pond_3',
      'https://judge.u-aizu.ac.jp/onlinejudge/user.jsp?id=pond_3',
    ],
    leetcode: ['https://leetcode.com/u/pond_3/', 'leetcode.com/pond_3', 'https://leetcode-cn.com/u/pond_3'],
    vjudge: ['https://vjudge.net/user/pond_3', 'https://www.google.com/url?q=https://vjudge.net.cn/user/pond_3'],
    luogu: ['https://www.luogu.com.cn/user/33#practice', 'https://www.luogu.org/space/show?uid=33'],
  };
  const names = Object.fromEntries(
    Object.entries(profiles).map(([judge, links]) => [
      judge,
      links.map((link) => {
        try {
          return readHandle(judge, link);
        } catch (error) {
          return String(error);
        }
      }),
    ]),
  );
  assert.deepEqual(names, {
    codeforces: ['pond.3', 'pond.3', 'pond.3'],
    atcoder: ['pond_3', 'pond_3'],
    dmoj: ['pond_3', 'pond_3'],
    uva: ['AppError: “pond 3” contains a space. A handle at UVa has 1 to 60 characters without spaces, /, ?, # and %.'],
    aoj: ['pond_3', 'pond_3'],
    leetcode: ['pond_3', 'pond_3', 'leetcode.cn/pond_3'],
    vjudge: ['pond_3', 'pond_3'],
    luogu: ['33', '33'],
  });
  const numbered = {
    cses: 'cses.fi/problemset/user/12/',
    yukicoder: 'https://yukicoder.me/users/12',
    uva: 'https://uhunt.onlinejudge.org/id/12',
  };
  for (const [judge, link] of Object.entries(numbered))
    assert.throws(() => readHandle(judge, link), /has a number instead of the name\./, link);
  assert.deepEqual(Object.keys({ ...profiles, ...numbered }).toSorted(), Object.keys(judges).toSorted());
});
