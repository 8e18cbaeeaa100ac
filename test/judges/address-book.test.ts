/** Addresses of problems: judges, the address book and any other site give each problem one name, whatever is sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import book from '../../src/judges/address-book.json' with { type: 'json' };
import { sites } from '../../src/judges/address-book.ts';
import { pageAt, parseContestLink, parseProblemAddress, problemAt, readHandle } from '../../src/judges/addresses.ts';
import { judges } from '../../src/judges/judges.ts';
import { needsData, readReal } from '../support/real-data.ts';

const none = new Map();
const nameOf = (address: string) => {
  const { source, key } = problemAt(address, none) ?? {};
  return source === undefined ? undefined : `${source} ${key}`;
};

/** Addresses below their name. */
function tableOf(text: string): ReadonlyMap<string, readonly string[]> {
  const table = new Map<string, string[]>();
  for (const part of text.split('## ').slice(1)) {
    const [name = '', ...addresses] = part.trim().split('\n');
    table.set(
      name,
      addresses.map((one) => one.replace(/^\/\//, 'https://').replace(/^vjudge:/, 'https://vjudge.net/problem/')),
    );
  }
  return table;
}

const same = tableOf(`
## codeforces 4A
//codeforces.me/contest/4/problem/A
//vjudge.pond.example/problem/CodeForces-4A
//codeforces.com/contest/4/problem/A;math;800
//codeforces.com/contest/4/problem/A&sa=D
//codeforces.com/contest/4/problem/A，很好
https://codeforces.com/contest/4/problem/A를 풀자
//codeforces.com/contest/4/problem/A%EF%BC%89
<https://codeforces.com/contest/4/problem/A>
_https://codeforces.com/contest/4/problem/A_
see https://codeforces.com/contest/4/problem/A today
http://https://codeforces.com/contest/4/problem/A
//www.google.de/url?sa=t&url=https%3A%2F%2Fcodeforces.com%2Fcontest%2F4%2Fproblem%2FA&usg=x
//codeforces-com.translate.goog/contest/4/problem/A?_x_tr_sl=ru&_x_tr_tl=en
//web.archive.org/web/2024id_/http://codeforces.com/problemset/problem/4/A
//web.archive.org/web/2024/codeforces.com/contest/4/problem/A
//link.zhihu.com/?target=https%3A//codeforces.com/contest/4/problem/A
//eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fcodeforces.com%2Fcontest%2F4%2Fproblem%2FA&data=05
//urldefense.com/v3/__https://codeforces.com/contest/4/problem/A__;!!a$
//www.bing.com/ck/a?p=1&u=a1aHR0cHM6Ly9jb2RlZm9yY2VzLmNvbS9jb250ZXN0LzQvcHJvYmxlbS9B&ntb=1
//translated.turbopages.org/proxy_u/ru-en/https/codeforces.com/contest/4/problem/A
//relay.example/go?to=https://codeforces.com/contest/4/problem/A
//codeforces.com/problemset/problem/4/A?locale=en
http://www.codeforces.com/contest/4/problem/a
//m1.codeforces.com/contest/4/problem/A
//mirror.codeforces.com/problemset/problem/4/A/
//codeforc.es/contest/4/problem/A
//codeforces.com/group/MWSDmqGsZm/contest/4/problem/A
vjudge:CodeForces-4A
//vjudge.net.cn/problem/codeforces-4a#author=0
codeforces.com/contest/4/problem/A
//codeforces.com./contest/4/problem/A
vjudge:洛谷-CF4A
## codeforces 104385A
//codeforces.com/gym/104385/problem/A
//codeforces.com/problemset/gymProblem/104385/A
vjudge:Gym-104385A
//acm.njupt.edu.cn/problem/GYM104385A
## codeforces 92101
//codeforces.com/contest/921/problem/01
//codeforces.com/problemset/problem/921/01
vjudge:CodeForces-921-01
vjudge:CodeForces-92101
## codeforces 279982C
//codeforces.com/edu/course/2/lesson/4/1/practice/contest/279982/problem/C
## codeforces acmsguru-140
//codeforces.com/problemsets/acmsguru/problem/99999/140
vjudge:SGU-140
## atcoder arc083_b
//atcoder.jp/contests/arc083/tasks/arc083_b—hard
//atcoder.jp/contests/arc083/tasks/arc083_b?lang=ja
//beta.atcoder.jp/contests/arc083/tasks/arc083_b
//atcoder.jp/contests/arc083/tasks/arc083_b/editorial
//arc083.contest.atcoder.jp/tasks/arc083_b
vjudge:AtCoder-ARC083_B
vjudge:洛谷-AT_arc083_b
## vjudge contest/480959/A
//vjudge.net/contest/480959#problem/A
//vjudge.net.cn/contest/480959?from=list#problem/a
## leetcode two-sum
//leetcode-cn.com/problems/two-sum/
//leetcode.com/problems/two-sum/
//leetcode.cn/problems/Two-Sum/description/?envType=daily
//leetcode.com/contest/weekly-contest-1/problems/two-sum
leetcode.com/problems/two-sum
vjudge:LeetCode-two-sum
## uva 199
http://acm.uva.es/p/v1/199.html
//www.udebug.com/UVa/199
vjudge:UVA-199
//onlinejudge.org/external/1/p199.pdf
vjudge:洛谷-UVA199
## uva pid:36
//onlinejudge.org/index.php?option=com_onlinejudge&Itemid=8&category=3&page=show_problem&problem=36
//uva.onlinejudge.org/index.php?option=onlinejudge&problem=36&page=show_problem
## kattis ads
//open.kattis.com/problems/ads
vjudge:Kattis-ads
## spoj LCMSUM
http://www.spoj.com/problems/LCMSUM/en/
//www.spoj.pl/problems/LCMSUM/
http://spoj.com/VNOI/problems/lcmsum/
vjudge:SPOJ-LCMSUM
## aoj CGL_1_A
//onlinejudge.u-aizu.ac.jp/courses/library/4/CGL/1/CGL_1_A
//judge.u-aizu.ac.jp/onlinejudge/description.jsp?id=CGL_1_A&lang=ja
//onlinejudge.u-aizu.ac.jp/problems/CGL_1_A
vjudge:Aizu-CGL_1_A
## cses 1068
//cses.fi/problemset/task/1068
vjudge:CSES-1068/origin
//cses.fi/problemset/stats/1068/
//cses.fi/problemset/task/1068,intro
//cses.fi/problemset/task/1068）
## dmoj ccc00s1
//dmoj.ca/problem/ccc00s1
vjudge:DMOJ-CCC00S1
## boj 1000
//www.acmicpc.net/problem/1000
vjudge:Baekjoon-1000
//noj.am/1000
## toph subset-and
//toph.co/p/subset-and
vjudge:Toph-subset-and#author=0
## beecrowd 1001
//www.urionlinejudge.com.br/judge/pt/problems/view/1001
//judge.beecrowd.com/en/problems/view/1001
//www.beecrowd.com.br/judge/pt/problems/view/1001
//www.udebug.com/URI/1001
## usaco 840
http://usaco.org/index.php?page=viewproblem2&cpid=840
//www.usaco.org/index.php?cpid=840&page=viewproblem2&lang=en
vjudge:USACO-840
## timus 1098
//timus.online/problem.aspx?space=1&num=1098
//translate.google.com/translate?u=https://acm.timus.ru/problem.aspx?space=1&num=1098
//acm.timus.ru/problem.aspx?space=1&num=1098&locale=ru
vjudge:URAL-1098
## acm.timus.ru problem.aspx?num=3&space=107
//acm.timus.ru/problem.aspx?space=107&num=3
## acm.timus.ru problem.aspx?num=3&space=108
//acm.timus.ru/problem.aspx?num=3&space=108
## library-checker aplusb
//judge.yosupo.jp/problem/aplusb
//old.yosupo.jp/problem/aplusb
vjudge:Yosupo-aplusb
## tlx troc-16/A
//tlx.toki.id/contests/troc-16/problems/A
//tlx.toki.id/problems/troc-16/A
## luogu P1001
//www.luogu.com/problemnew/show/P1001
//www.luogu.org/problem/show?pid=1001
//m.luogu.com.cn/problem/solution/P1001
vjudge:%e6%b4%9b%e8%b0%b7-p1001#author=0
vjudge:Luogu-P1001
## vjudge %E8%AE%A1%E8%92%9C%E5%AE%A2-T1001
vjudge:计蒜客-T1001
vjudge:%e8%ae%a1%e8%92%9c%e5%ae%a2%2DT1001
## vjudge ZOJ-3209
vjudge:ZOJ-3209
## codeforces 101021-1
//codeforces.com/gym/101021/problem/1
## codeforces 100520-1A
//codeforces.com/gym/100520/problem/1a
vjudge:Gym-1005201A
## leetcode XltzEq
//leetcode.cn/problems/XltzEq/description/
## codechef LAPIN
//www.codechef.com/practice/course/strings/STRINGS/problems/LAPIN
//www.codechef.com/learn/course/strings/STRINGS1/problems/lapin?tab=statement
## br.spoj.com problems/OBIHANOI
//br.spoj.com/problems/OBIHANOI/
## aoj 0033
//onlinejudge.u-aizu.ac.jp/challenges/search/titles/0033
http://rose.u-aizu.ac.jp/onlinejudge/ProblemSet/description.jsp?id=0033
## cses.fi 241/task/C
//cses.fi/241/task/C
## acmicpc.net contest/problem/1020/3
//www.acmicpc.net/contest/problem/1020/3
## eolymp 7
//www.eolymp.com/uk/problems/7
//basecamp.eolymp.com/en/problems/7
//www.e-olymp.com/en/problems/7
vjudge:E-Olymp-7
vjudge:EOlymp-7
## eolymp compete/spring/7
//basecamp.eolymp.com/en/compete/spring/problem/7
## lightoj 1284
http://lightoj.com/volume_showproblem.php?problem=1284
vjudge:LightOJ-1284
vjudge:LightOJ-lightoj-1284
## uoj 514
//uoj.ac/contest/51/problem/514
## omegaup sumas
//omegaup.com/course/spring/assignment/one#problems/sumas
//omegaup.com/arena/spring/practice/#problems/sumas
//omegaup.com/arena/problem/sumas/
## geeksforgeeks.org problems/reverse-a-string/1
//www.geeksforgeeks.org/problems/reverse-a-string/0?page=1
//practice.geeksforgeeks.org/problems/reverse-a-string
## naukri.com code360/problems/ninja_1
//www.naukri.com/code360/problems/ninja_1
//www.codingninjas.com/studio/problems/ninja_1?leftPanelTab=0
## train.usaco.org usacoprob2?S=gift1
//train.usaco.org/usacoprob2?a=Xyz&S=gift1
//usaco.training/usacoprob2?S=gift1
## ac.nowcoder.com acm/contest/11/B
//ac.nowcoder.com/acm/contest/11/B
## yukicoder.me problems/17
//yukicoder.me/problems/17
## contest.lagos.example 2026/final/bridges
//contest.lagos.example/2026/final/bridges
http://www.contest.lagos.example/2026/final/bridges/?utm_source=chat&fbclid=x&lang=en#part-b
//CONTEST.LAGOS.example/%32026/final/bridges
## oj.example:8088 show.php?cid=1&pid=2
http://oj.example:8088/show.php?pid=2&cid=1
http://oj.example:8088/show.php?cid=1&locale=en&pid=2
## spa.example judge#/problem/1
//spa.example/judge/#/problem/1
http://spa.example/judge#/problem/1/
## pond.example gcj/problems#B
//pond.example/gcj/problems/#B
## pond.example gcj#s=p1
//pond.example/gcj#s=p1
## pond.example gcj
//pond.example/gcj#statement
//pond.example/gcj（hard）
//pond.example/gcj;math,800
## spa.example #!/problem/2
//spa.example/#!/problem/2
## xn--bcher-kva.example p/1
//bücher.example/p/1
//xn--bcher-kva.example/p/1
## codeforces 10452100
vjudge:Gym-10452100
## codeforces 1910A1
vjudge:CodeForces-1910A1
## yukicoder 1
vjudge:yukicoder-1
## luogu SP1
vjudge:洛谷-SP1
## hackerearth pond
vjudge:HackerEarth-pond
## vjudge UVALive-2000
vjudge:UVALive-2000
## vjudge CodeForces-x
vjudge:CodeForces-x
`);

test('every address of a problem gives it one name', () => {
  for (const [name, addresses] of same)
    for (const address of addresses) {
      assert.equal(nameOf(address), name, address);
      const { url = '' } = problemAt(address, none) ?? {};
      assert.equal(nameOf(url), name, `${address} is at ${url}`);
    }
});

test('every site of the book knows its own page', () => {
  const nameAtVjudge = (source: string) => nameOf(`https://vjudge.net/problem/${source}-1007`);
  const others = [...sites.keys()].filter((source) => nameAtVjudge(source) !== `${source} 1007`);
  // Their keys are no numbers.
  assert.deepEqual(others, ['geeksforgeeks.org', 'hacker-cup', 'jutge', 'luogu', 'tlx', 'ucup', 'vjudge']);
});

/** What a pattern of the book matches, without its conditions, which fast-check cannot generate. */
function pathsLike(pattern: string): fc.Arbitrary<string> {
  const free = pattern.replaceAll(/\(\?[!=](?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\\b|\(\?-i:/g, (part) =>
    part.startsWith('(?-') ? '(?:' : '',
  );
  const plain = free
    .replaceAll('[\\w', '[a-z\\d')
    .replaceAll('\\w', '[a-z\\d]')
    .replaceAll('.*', '[a-z]*')
    .replace('=&]', ']');
  return fc.stringMatching(new RegExp(`^${plain.replaceAll(/\[\^[^\]]*\]/g, '[a-z]')}$`));
}

test('the page of each problem of the book names it again', () => {
  const addresses = book.problems.flatMap((line) => {
    const [, host = '', pattern = ''] = /([\w.-]+)\S*(?: (?:upper|lower))? (\/\S+)/.exec(line) ?? [];
    return fc.sample(pathsLike(pattern), 20).map((path) => [line, `https://${host}${path}`] as const);
  });
  const found = new Map<string, number>();
  for (const [line, address] of addresses) {
    const { source, key, url = '', matchedBy } = problemAt(address, none) ?? {};
    if (matchedBy === undefined || matchedBy === 'host') continue;
    assert.equal(nameOf(url), `${source} ${key}`, `${address} is at ${url}`);
    found.set(line, (found.get(line) ?? 0) + 1);
  }
  // Others need words in their query, which are not generated.
  assert.deepEqual(
    book.problems.filter((line) => !found.has(line) && !/\(\?=\.\*/.test(line)),
    [],
  );
});

/** Addresses that are no problem, below what they are. */
const pages = tableOf(`
## contest
//codeforces.com/contest/1459
//www.google.com/url?q=https://atcoder.jp/contests/abc101
//atcoder.jp/contests/abc101/tasks
//leetcode-cn.com/contest/weekly-contest-3/
//www.codechef.com/START9C
//onlinejudge.u-aizu.ac.jp/contests/spring
## standings
//codeforces.com/contest/1459/standings/page/2
//dmoj.ca/contest/spring/ranking/
//www.codechef.com/rankings/START9C
## submission
//codeforces.com/contest/1459/submission/99
//atcoder.jp/contests/abc101/submissions/me
//cses.fi/problemset/result/7654321/
//www.acmicpc.net/problem/status/1001
//vjudge.net/solution/31
## post
//codeforces.com/blog/entry/3
//discuss.codechef.com/t/pond-editorial/3
//atcoder.jp/contests/abc101/editorial/5
## profile
//codeforces.com/profile/pond
//www.codechef.com/users/pond
//vjudge.net/user/pond
## signIn
//codeforces.com/enter?back=%2Fcontest%2F1459%2Fproblem%2FA
//leetcode.com/accounts/login/
## start
//codeforces.com/contest/1459/problem/0
## site
//leetcode.com/studyplan/top-interview-150/
//onlinejudge.u-aizu.ac.jp/courses/library/5/GRL/6
//www.spoj.com/problems/classical/
//www.spoj.com/problems/tag/dp
//www.hackerrank.com/domains/algorithms
//cses.fi/problemset/list/
## shortLink
//bit.ly/3abc
//t.co/x
## elsewhere
//github.com/pond/pond/blob/main/a.cpp
//de.wikipedia.org/wiki/Teich
//youtu.be/x
`);

test('a page of a known site that is no problem is named for what it is, and never becomes one by its host', () => {
  for (const [kind, addresses] of pages)
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
  for (const redirect of ['l.facebook.com/l.php?h=x&u=', 'google.co.uk/url?q='])
    assert.equal(nameOf(`https://${redirect}${inner}`), 'club.example p/1', redirect);
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
  const addresses = [...same].flatMap(([name, addresses]) => addresses.map((one) => ({ name, one })));
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
  for (const address of [
    ' codeforces.com/contest/4/problem/A ',
    'https:/codeforces.com/contest/4/problem/A',
    'https：//codeforces.com/contest/4/problem/A',
    'https://codeforces.com/contest/4/problem/A,https://cses.fi/problemset/task/1068',
  ])
    assert.equal(parseProblemAddress(address, none).key, '4A', address);
  assert.equal(parseProblemAddress('10.0.4.12/contest/3', none).source, '10.0.4.12');
  const refusals: readonly [string, RegExp][] = [
    ['javascript:alert(1)', /^Enter a link/],
    ['mailto:ada@club.example', /^Enter a link/],
    ['', /^Enter a link/],
    ['watermelon', /^Enter a link/],
    ['https://user@club.example/p/1', /user name/],
    ['https://:pw@club.example/p/1', /user name/],
    [`https://club.example/${'x'.repeat(1980)}`, /up to 2000/],
    [`https://club.example/${'x'.repeat(1979)}`, /whole site or is too long/],
    ['https://codeforces.com/contest/4', /^This is a contest, not a problem\. Make a list or a round of it\.$/],
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
      assert.deepEqual([again?.source, again?.key], [found.source, found.key], found.url);
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

test('a contest of DMOJ is known at the site that the garden has instead, and one of LeetCode at either site', () => {
  const club = new Map([['dmoj', { url: 'https://judge.club.example/oj' }]]);
  for (const [address, places, found] of [
    ['codeforces.com./contest/1459', none, { source: 'codeforces', key: '1459' }],
    ['https://dmoj.ca/contest/bts19', none, { source: 'dmoj', key: 'bts19' }],
    ['https://judge.club.example/oj/contest/spring/ranking/', club, { source: 'dmoj', key: 'spring' }],
    ['https://judge.club.example/contest/spring', club, undefined],
    ['https://dmoj.ca/contest/spring', club, undefined],
    ['https://leetcode.cn/contest/Weekly-Contest-408/', none, { source: 'leetcode', key: 'weekly-contest-408' }],
    ['https://codeforces.ru/contests/1459，', none, { source: 'codeforces', key: '1459' }],
    ['https://vk.com/away.php?to=https%3A%2F%2Fdmoj.ca%2Fcontest%2Fspring', none, { source: 'dmoj', key: 'spring' }],
  ] as const)
    assert.deepEqual(parseContestLink(address, places), found, address);
});

test('a page belongs to the site that the garden has instead of the judge’s own', () => {
  const places = new Map(
    Object.entries({ dmoj: { url: 'https://club.example/oj' }, codeforces: { url: 'https://cf.example/api' } }),
  );
  for (const [address, source] of [
    ['https://club.example/oj/users', 'dmoj'],
    ['https://club.example/ojs/users', undefined],
    ['https://dmoj.ca/users', undefined],
    ['https://codeforces.com/blog/entry/3', 'codeforces'],
    ['https://cf.example/api/blog', undefined],
  ] as const)
    assert.equal(pageAt(address, places)?.source, source, address);
});

/** Links to profiles, below the judge and the handle or the end of the refusal. */
const profiles = tableOf(`
## codeforces pond.3
//codeforces.com/profile/pond.3
m1.codeforces.com/submissions/pond.3
//codeforces.ru/profile/pond.3
## atcoder pond_3
//atcoder.jp/users/pond_3?lang=ja
//kenkoooo.com/atcoder/#/user/pond_3?userPageTab=Summary
## dmoj pond_3
//dmoj.ca/user/pond_3
//judge.club.example/oj/user/pond_3/solved
## uva “pond 3” contains a space. A handle at UVa has 1 to 60 characters without spaces, /, ?, # and %.
//uhunt.onlinejudge.org/u/pond%203
## uva has a number instead of the name. Enter your name there.
//uhunt.onlinejudge.org/id/12
## cses has a number instead of the name. Enter your name there.
cses.fi/problemset/user/12/
## yukicoder has a number instead of the name. Enter your name there.
//yukicoder.me/users/12
## aoj pond_3
//onlinejudge.u-aizu.ac.jp/status/users/pond_3
//judge.u-aizu.ac.jp/onlinejudge/user.jsp?id=pond_3
## leetcode pond_3
//leetcode.com/u/pond_3/
leetcode.com/pond_3
## leetcode One at leetcode.cn is written leetcode.cn/NAME.
//leetcode.com/problemset/
//leetcode.cn/problemset
//leetcode.com/contest
## leetcode leetcode.cn/pond_3
//leetcode-cn.com/u/pond_3
leetcode.cn/pond_3
## vjudge pond_3
//vjudge.net/user/pond_3
//vjudge.pond.example/user/pond_3
//www.google.com/url?q=https://vjudge.net.cn/user/pond_3
## luogu 33
//www.luogu.com.cn/user/33#practice
//www.luogu.org/space/show?uid=33
`);

test('the link to a profile is its handle at every judge, and other links are refused with a sentence', () => {
  const sources = new Set<string>();
  for (const [name, links] of profiles) {
    const [source = '', handle = ''] = name.split(/ (.*)/);
    sources.add(source);
    for (const link of links) {
      let result = '';
      try {
        result = readHandle(source, link);
      } catch (error) {
        result = String(error);
      }
      assert.ok(handle.includes(' ') ? result.endsWith(handle) : result === handle, `${link}: ${result}`);
    }
  }
  assert.deepEqual([...sources].toSorted(), Object.keys(judges).toSorted());
});
