/** Members add problems by their links: one row a problem, whoever adds it; limits; and taking back until somebody uses it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf } from '../support/databases.ts';
import { attributesOf, csrfOf, hrefOf, hrefsOf, textsOf, totalIn, valueIn } from '../support/elements.ts';
import { type Browser, type Filling, memberWithPassword, textOf } from '../support/forms.ts';
import { importRows, temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';

const page = '/problem_list/new/';
const inForm = { within: 'main form[method=post]', name: 'title' };
const problemOf = (source: string, source_key: string, title: string, url: string) => {
  return { source, source_key, title, tags: [], url };
};
const ask = (one: Browser, url: string, title?: string) =>
  one.open(`${page}?${new URLSearchParams({ url, ...(title !== undefined && { title }) })}`);

const paste = async (one: Browser, fields: Filling) => {
  await one.open('/problem_list/lists/new/');
  return one.submit({ name: 'text' }, fields);
};

test('problems that members add', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'problems', [
    problemOf('codeforces', '4A', 'Watermelon', 'https://codeforces.com/problemset/problem/4/A'),
    problemOf('our-club', 'pond-1', 'Pond', 'https://club.example/p/1'),
    // An older version did not know the judge of this copy.
    problemOf('vjudge', 'LightOJ-1022', 'Circle', 'https://vjudge.net/problem/LightOJ-1022'),
  ]);
  await membersNamed(databaseUrl, 'ada', 'bob', 'eve');
  const env = { ADDED_PER_DAY: '5' };
  const { url } = await serveHere(t, { databaseUrl, env });
  const other = await serveHere(t, { databaseUrl, env });
  const ada = await browserOf(url, 'ada');
  const bob = await browserOf(other.url, 'bob');
  const eve = await browserOf(url, 'eve');
  const rows = (where: string) =>
    rowsOf(databaseUrl, `SELECT id, title, source, source_key, url, rating, tags FROM problems WHERE ${where}`);

  await t.test(
    'a link that is here leads to its problem, also that of a copy and of a site of the club’s own',
    async () => {
      for (const link of [
        'https://vjudge.net/problem/CodeForces-4A',
        'https://club.example/p/1/',
        'https://vjudge.net.cn/problem/LightOJ-1022#author=0',
      ]) {
        const found = await ask(ada, link);
        assert.match(textOf(found, 'main'), /This problem is here already/, link);
        assert.equal(found.document.querySelector('main form[method=post]'), null);
      }
    },
  );

  await t.test('any other link becomes a problem with title, topics, list and status in one form', async () => {
    const list = await paste(ada, { name: 'Finals' });
    const listId = /lists\/(\d+)\//.exec(list.path)?.[1] ?? '';
    const asked = await ask(ada, 'https://contest.lagos.example/2026/final/bridges?lang=en', 'Bridges \u202eof Ikoyi');
    assert.match(textOf(asked, 'main .notice'), /contest\.lagos\.example isn’t a judge we know/);
    assert.equal(valueIn(asked, 'title'), 'Bridges of Ikoyi');
    const statuses = ['not_started', 'reading', 'practicing', 'complete'];
    assert.deepEqual(attributesOf(asked, '[name=status]', 'value'), statuses);
    const added = await ada.submit(inForm, {
      topics: 'Graphs, dfs,,graphs',
      list: listId,
      status: 'practicing',
    });
    const [row] = await rows("source = 'contest.lagos.example'");
    const link = 'https://contest.lagos.example/2026/final/bridges';
    const made = problemOf('contest.lagos.example', '2026/final/bridges', 'Bridges of Ikoyi', link);
    assert.deepEqual({ ...row }, { ...made, id: row?.id, rating: null, tags: '["graphs","dfs"]' });
    assert.equal(added.path, `/problem_list/problem/${row?.id}/?added=new`);
    assert.match(textOf(added, 'main'), /Added\..*Trying.*You added this problem/s);
    assert.match((await ada.open(`/problem_list/lists/${listId}/`)).text, /Bridges of Ikoyi/);
    assert.match((await bob.open('/problem_list/?source=contest.lagos.example')).text, /Bridges of Ikoyi/);
    const again = await ask(bob, 'http://www.contest.lagos.example/2026/final/bridges/');
    assert.match(textOf(again, 'main'), /here already/);
  });

  await t.test('members add one link at once: it is one row, and each keeps the status that they chose', async () => {
    const all = [ada, bob, eve];
    await Promise.all(all.map((one) => ask(one, 'https://open.kattis.com/problems/ads')));
    const answers = await Promise.all(all.map((one) => one.submit(inForm, { title: 'Ads', status: 'complete' })));
    const [row, ...more] = await rows("source = 'kattis'");
    assert.deepEqual(more, []);
    for (const answer of answers) {
      assert.ok(answer.path.startsWith(`/problem_list/problem/${row?.id}/`), answer.path);
      assert.equal(answer.document.querySelector('[data-problem]')?.getAttribute('data-status'), 'complete');
      assert.doesNotMatch(textOf(answer, 'main'), /in your list now/);
    }
    const said = answers.map((answer) => textOf(answer, 'main .notice'));
    assert.equal(said.filter((text) => text.includes('Added.')).length, 1);
    assert.equal(said.filter((text) => /here already\. Your status is saved\./.test(text)).length, 2);
  });

  await t.test(
    'a status that is not further than the one of a known problem changes nothing, and a list gets it',
    async () => {
      await ask(ada, 'https://open.kattis.com/problems/banana');
      await ada.submit(inForm, { title: 'Banana', status: 'complete' });
      const asked = await ask(ada, 'https://open.kattis.com/problems/stones');
      const _csrf = csrfOf(asked);
      const again = await ada.post(page, { _csrf, url: 'https://open.kattis.com/problems/banana', status: 'reading' });
      const path = again.path.split('?')[0] ?? '';
      assert.equal(again.path, `${path}?added=here`);
      const shown = await ada.open(again.path);
      assert.equal(shown.document.querySelector('[data-problem]')?.getAttribute('data-status'), 'complete');
      assert.match(textOf(shown, 'main .notice'), /here already\.$/);
      const [list = ''] = attributesOf(asked, '[name=list] option:last-child', 'value');
      const known = 'https://codeforces.com/contest/4/problem/A';
      const both = await ada.post(page, { _csrf, url: known, list, status: 'reading' });
      assert.match(textOf(both, 'main .notice'), /in your list now, and your status is saved/);
    },
  );

  await t.test('what is no link of a problem is refused at its field, and nothing is added', async () => {
    const before = await rows('1 = 1');
    for (const [link, sentence] of [
      ['javascript:alert(1)', /Enter a link/],
      ['https://user:pw@club.example/p/2', /user name/],
      ['https://club.example/', /whole site/],
      [`https://club.example/${'x'.repeat(2001)}`, /up to 2000/],
    ] as const) {
      const refused = await ask(ada, link);
      assert.equal(refused.status, 422, link);
      assert.match(textOf(refused, '#url-fault'), sentence);
    }
    const contest = 'https://codeforces.com/contest/4/standings';
    const ways = [
      '/problem_list/?source=codeforces&contest=4',
      `/problem_list/lists/new/?text=${encodeURIComponent(contest)}`,
      `/dashboard/rounds/new/?contest=${encodeURIComponent(contest)}`,
    ];
    for (const [link, sentence, to] of [
      [contest, /^This is the standings page of a contest, not a problem\. Open the problem/, ways],
      ['https://atcoder.jp/users/ada', /^This is a profile, not a problem\./, ['/authentication/account/handles/']],
      ['https://codeforces.com/blog/entry/4', /^This is a post or an editorial, not a problem\./, []],
    ] as const) {
      const refused = await ask(ada, link);
      assert.match(textOf(refused, '#url-fault'), sentence);
      assert.deepEqual(hrefsOf(refused, 'main form .actions a'), to);
      const found = await ada.open(`/problem_list/?q=${encodeURIComponent(link)}`);
      assert.match(textOf(found, '.empty p'), sentence);
      assert.deepEqual(hrefsOf(found, '.empty .actions a').slice(0, to.length), to);
      assert.equal(found.document.querySelector('.empty a.primary'), null);
    }
    const byTitle = await ask(ada, 'https://codeforces.com/contest/4/problem/0', 'C. Pond');
    assert.match(textOf(byTitle, 'main .notice'), /Codeforces problem 4C/);
    const asked = await ask(ada, 'https://club.example/p/2');
    const _csrf = csrfOf(asked);
    const sent = await ada.post(page, { _csrf, url: 'javascript:alert(1)', title: 'x' });
    assert.equal(sent.status, 422);
    assert.match(textOf(sent, '#url-fault'), /Enter a link/);
    const nowhere = { _csrf, url: 'https://club.example/p/2', title: 'x', list: '99' };
    assert.equal((await ada.post(page, nowhere)).status, 404);
    assert.deepEqual(await rows('1 = 1'), before);
  });

  await t.test('who added a problem takes it back until somebody else has anything on it', async () => {
    const add = async (link: string) => {
      await ask(ada, link);
      const { path } = await ada.submit(inForm, { status: 'complete' });
      return path.split('?')[0] ?? '';
    };
    const alone = await add('https://toph.co/p/partition-magic');
    const shared = await add('https://toph.co/p/book-worm');
    await bob.open(shared);
    await bob.submit({ within: '.verdict', name: 'status', value: 'complete' });
    await ada.open(alone);
    const gone = await ada.submit({ within: `form[action$="${alone}remove/"]` });
    assert.match(textOf(gone, 'main'), /The problem was removed/);
    assert.equal((await ada.open(alone)).status, 404);
    const page = await ada.open(shared);
    assert.equal(page.document.querySelector('form[action$="/remove/"]'), null);
    assert.equal((await ada.post(`${shared}remove/`, { _csrf: csrfOf(page) })).status, 412);
    const bobs = csrfOf(await bob.open(shared));
    assert.equal((await bob.post(`${shared}remove/`, { _csrf: bobs })).status, 404, 'it is not Bob’s');
    assert.equal((await rows("source = 'toph'")).length, 1);
  });

  await t.test('a list gets the links that are not here by one tick, at their places', async () => {
    const text =
      'Day 1:\nhttps://qoj.ac/problem/9412\nhttps://codeforces.com/contest/4/problem/A\nhttps://oj.example/p/8\nftp and https://blog.example/\n';
    const look = await paste(eve, { name: 'Day', text });
    assert.equal(look.document.querySelectorAll('[data-addable]').length, 2);
    assert.equal(look.document.querySelectorAll('[data-lost]').length, 1);
    assert.match(
      textOf(look, '.list-counts'),
      /1 on this server.*2 not here yet.*0 repeated.*1 line without a problem/,
    );
    assert.match(textOf(look, 'form .actions'), /remove an added problem again on its page/);
    const saved = await eve.submit({ name: 'do', value: 'save' }, { add: 'true', 'title-0': 'Harbour', 'add-1': [] });
    assert.deepEqual(textsOf(saved, 'tr[data-problem] .c-title > a:first-child'), ['Harbour', 'Watermelon']);
    assert.equal((await paste(eve, { text: 'https://oj.example/p/8' })).status, 200);
    assert.deepEqual(await rows("source = 'oj.example'"), []);
    const list = await eve.submit({ name: 'do', value: 'save' });
    assert.match(list.path, /^\/problem_list\/lists\/\d+\/$/);
    assert.equal((await rows("source = 'oj.example'"))[0]?.title, '8');
  });

  await t.test('a line without a link stands last, with its number', async () => {
    const text = '# Week 1\nhttps://codeforces.com/contest/4/problem/A\n\nask Zofia for the statement\n***\n';
    const look = await paste(ada, { text });
    assert.match(textOf(look, '[aria-labelledby=lost]'), /1 line without a problem.*4ask Zofia for the statement/s);
  });

  await t.test('a link without https:// is found, or can be added', async () => {
    const known = await ada.open('/problem_list/?q=club.example/p/1');
    assert.match(textOf(known, 'main'), /Pond/);
    const found = await ada.open('/problem_list/?q=nowhere.example/p/77');
    assert.match(textOf(await ada.open(hrefOf(found, '.empty a.primary')), 'main'), /Saved as nowhere\.example p\/77/);
    assert.equal((await ada.open('/problem_list/?q=dp/graphs')).document.querySelector('.empty a.primary'), null);
  });

  await t.test('the search offers to add a link that finds nothing', async () => {
    const found = await ada.open('/problem_list/?q=https://codeforces.com/contest/9999/problem/A');
    assert.match(textOf(found, '.empty'), /Codeforces problem 9999A is not on this server yet/);
    const asked = await ada.open(hrefOf(found, '.empty a.primary'));
    assert.match(textOf(asked, 'main .notice'), /The next import from Codeforces adds its title and rating/);
  });
});

test('administrators set the limits of members and their own while the server runs, and every door says which it was', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'ada');
  await memberWithPassword(databaseUrl, 'boss', { role: 'staff' });
  const env = { ADDED_PER_DAY: '2', ADDED_PER_MEMBER: '3' };
  const [one, other] = [await serveHere(t, { databaseUrl, env }), await serveHere(t, { databaseUrl, env })];
  const boss = await browserOf(one.url, 'boss');
  const ada = await browserOf(other.url, 'ada');
  const settings = '/authentication/staff/settings/';
  const set = async (values: Record<string, string>) => {
    await boss.open(settings);
    return boss.submit({ name: 'add_limit_member_perDay' }, values);
  };
  const link = (n: number) => `https://oj.example/q/${n}`;
  const leftFor = async (who: Browser, n: number) => textOf(await ask(who, link(n)), 'main form[method=post]');
  const add = async (who: Browser, n: number) => {
    await ask(who, link(n));
    return who.submit(inForm, { title: `Pond ${n}` });
  };

  const hints = textOf(await boss.open(settings), '[aria-labelledby=add-limits]');
  assert.match(
    hints,
    /Members, in 24 hours.*Default: 2Members, in total.*Default: 3Admin.*Default: 20Admin.*Default: 30/s,
  );
  assert.match(await leftFor(ada, 1), /You can add 2 more today\./);
  assert.match(await leftFor(boss, 1), /You can add 20 more today\./);
  await set({ add_limit_member_perDay: '5', add_limit_staff_total: '1' });
  assert.match(await leftFor(ada, 1), /You can add 3 more in total\./, 'without a restart, in another process');
  assert.match(await leftFor(boss, 1), /You can add 1 more in total\./);
  for (const wrong of ['-1', '1.5', '1000001', 'many']) {
    const refused = await set({ add_limit_staff_perDay: wrong });
    assert.equal(refused.status, 422, wrong);
    assert.match(
      textOf(refused, '#add_limit_staff_perDay-fault'),
      /whole number from 0 to 1,000,000, or leave it empty/,
    );
  }
  assert.deepEqual(attributesOf(await boss.open(settings), '[name^=add_limit]', 'value'), ['5', '', '', '1']);

  const total =
    /The limit is 3 in total: first remove problems that you added and nobody uses\. An administrator can raise it/;
  const pages: string[] = [];
  for (const n of [1, 2, 3]) pages.push((await add(ada, n)).path.split('?')[0] ?? '');
  assert.match(await leftFor(ada, 4), new RegExp(`can’t add any more problems\\..*${total.source}`));
  const _csrf = csrfOf(await ask(ada, link(4)));
  const refused = await ada.post(page, { _csrf, url: link(4), title: 'x' });
  assert.match(textOf(refused, '.notice'), new RegExp(`add 0 more now, and this would be 1\\. ${total.source}`));
  assert.match(textOf(await paste(ada, { text: link(4) }), 'main'), total);
  await ada.open('/problem_list/import/');
  assert.match(textOf(await ada.submit({ name: 'text' }, { text: 'https://toph.co/p/1' }), 'main'), total);
  // The advice holds.
  await ada.open(pages[0] ?? '');
  await ada.submit({ within: `form[action$="${pages[0]}remove/"]` });
  assert.match((await add(ada, 4)).path, /added=new/);

  await set({ add_limit_member_total: '100', add_limit_member_perDay: '4' });
  assert.match((await add(ada, 5)).path, /added=new/);
  assert.match(await leftFor(ada, 6), /any more problems today\.The limit is 4 in 24 hours: add the rest tomorrow\./);
  await set({ add_limit_member_total: '0' });
  assert.match(await leftFor(ada, 6), /any more problems\.An administrator has turned off adding problems\./);
  assert.match((await boss.open('/authentication/staff/log/')).text, /changed the limits for adding problems/);
});

test('as many links are added as the limit allows, also more than the page lists', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'ada');
  const { url } = await serveHere(t, { databaseUrl, env: { ADDED_PER_DAY: '240' } });
  const ada = await browserOf(url, 'ada');
  const text = Array.from({ length: 250 }, (_, n) => `https://oj.example/p/${n}`).join('\n');
  const look = await paste(ada, { text });
  assert.match(textOf(look, '.addable'), /40 more problems are added with the title from the link\./);
  assert.match(textOf(look, '.addable'), /You can add 240 problems now; 10 more are left out/);
  await ada.submit({ name: 'do', value: 'save' }, { 'title-0': 'Harbour' });
  const rows = await rowsOf(databaseUrl, "SELECT title FROM problems WHERE source = 'oj.example' ORDER BY id");
  assert.equal(rows.length, 240);
  assert.deepEqual([rows[0]?.title, rows.at(-1)?.title], ['Harbour', '239']);
});

test('a garden with problems of many sites names a hundred in the filter, and the chosen one', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const rows = Array.from({ length: 301 }, (_, n) => {
    const source = n < 2 ? 'kattis' : `host${n}.example`;
    return { ...problemOf(source, `p/${n}`, `River ${n}`, `https://host${n}.example/p/${n}`), id: n + 1 };
  });
  await importRows(databaseUrl, 'problems', rows);
  await memberWithPassword(databaseUrl, 'ada');
  const { url } = await serveHere(t, { databaseUrl });
  const ada = await browserOf(url, 'ada');
  const problem = await ada.open('/problem_list/problem/301/');
  const page = await ada.open(hrefOf(problem, 'aside a[href*="source="]'));
  assert.equal(totalIn(page), 1);
  const sites = attributesOf(page, '[type=radio][name=source]', 'value');
  assert.equal(sites.length, 102);
  assert.deepEqual([sites[1], sites.at(-1)], ['kattis', 'host300.example']);
  assert.match(textOf(page, '.filters'), /200 more sites/);
});
