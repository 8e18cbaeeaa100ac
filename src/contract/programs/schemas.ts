/** What programs send and receive, as JSON Schema. Ids are texts, because many programs lose digits of large numbers. */
import type { Static, TObject, TOptional, TSchema } from 'typebox';
import { nullable, type ObjectSchema, oneOf, resource, schemaOf, text, time } from '../common.ts';

/** In characters. */
const longestProgramNote = 65_536;
const minutesRange = { minimum: 1, maximum: 720 } as const;

export function idText(description: string, example = '7') {
  return schemaOf<string>({
    type: 'string',
    format: 'int64',
    pattern: '^(?:0|-?[1-9][0-9]{0,18})$',
    description,
    examples: [example],
  });
}

export function line(description: string, example: string, maxLength = 200, minLength = 1) {
  return schemaOf<string>({ type: 'string', minLength, maxLength, description, examples: [example] });
}

export function whole(description: string, example: number, bounds: object = {}) {
  return schemaOf<number>({ type: 'integer', format: 'int32', ...bounds, description, examples: [example] });
}

export function flag(description: string, example: boolean) {
  return schemaOf<boolean>({ type: 'boolean', description, examples: [example] });
}

function dayText(description: string) {
  return schemaOf<string>({
    type: 'string',
    format: 'date',
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
    description,
    examples: ['2026-11-28'],
  });
}

function listOf<S extends object>(items: S, description: string, example: unknown[] = []) {
  return schemaOf<S extends TSchema ? Static<S>[] : never>({
    type: 'array',
    items,
    description,
    examples: [example],
  });
}

/** An object that another one contains, with the example of its own fields. */
function nested<S extends ObjectSchema>(schema: S, description: string, isNullable = false) {
  const { properties } = schema;
  const entries = Object.entries(properties) as [string, { examples?: unknown[] }][];
  const example = Object.fromEntries(entries.map(([name, { examples }]) => [name, examples?.[0]]));
  const reference = { $ref: `#/components/schemas/${schema.title}` };
  const shape = isNullable ? { anyOf: [reference, { type: 'null' }] } : { allOf: [reference] };
  return schemaOf<S extends TSchema ? Static<S> : never>({ ...shape, description, examples: [example] });
}

/** A body: what is absent stays unchanged. */
function body<T extends Record<string, TSchema>>(title: string, required: (keyof T & string)[], fields: T) {
  const schema = { type: 'object', required, properties: fields, title, additionalProperties: false };
  return schema as unknown as TObject<{ [Name in keyof T]: TOptional<T[Name]> }>;
}

/* Marks. */

export const programStatuses = ['not_started', 'ignored', 'skipped', 'reading', 'trying', 'solved'] as const;
export type ProgramStatus = (typeof programStatuses)[number];
const hows = ['alone', 'hint', 'editorial'] as const;

const status = oneOf(
  programStatuses,
  'How far the member is, in ascending order. A program that meets another value treats it as "trying".',
  'solved',
);
const how = oneOf(hows, 'How the problem was solved.', 'hint');
const version = line('For If-Match: the ETag is this text in quotes.', 'k3v0bq8SfnO2dW1mXzQ4tA', 100);
const note = text('The note, as Markdown.', 'Think of the parity.', longestProgramNote);

const sharedMarkFields = {
  problem: idText('The id of the problem.'),
  status,
  how: nullable(how),
  origin: nullable(oneOf(['self', 'judge'] as const, 'Who set the status.', 'self')),
  starred: flag('Whether the member starred the problem.', false),
};
const lastMarkFields = {
  updated_at: nullable(time('When the mark changed last; null if there is none, or the day is unknown.')),
  version,
};

export const Mark = resource('Mark', 'What the member marked on one problem.', {
  ...sharedMarkFields,
  note: nullable(note),
  ...lastMarkFields,
});

export const BriefMark = resource('BriefMark', 'A mark without the text of its note, in collections.', {
  ...sharedMarkFields,
  has_note: flag('Whether there is a note.', true),
  ...lastMarkFields,
});

const anyText = schemaOf<string>({ type: 'string' });

const problemFields = {
  id: idText('The id of the problem.'),
  title: text('The title.', 'Watermelon'),
  url: nullable(text('Its page at the judge.', 'https://codeforces.com/contest/4/problem/A')),
  judge: text('The judge that has it.', 'codeforces'),
  key: text('Its key at the judge.', '4/A'),
  rating: nullable(whole('The difficulty, on the scale of its judge.', 800)),
  topics: listOf(anyText, 'What it is about, in the words of the judge.', ['math']),
  aliases: listOf(anyText, 'Its other keys at the judge.'),
};

export const Problem = resource('Problem', 'A problem with the mark of the member.', {
  ...problemFields,
  mark: nested(Mark, 'The mark of the member.'),
});

export const BriefProblem = resource('BriefProblem', 'A problem in a collection.', {
  ...problemFields,
  mark: nested(BriefMark, 'The mark of the member.'),
});

/* Answers. */

const change = nullable(
  idText('Undoes this write at POST /undo/{change}; null if nothing had to change.', '123'),
);

const next = nullable(line('The cursor of the next page; null at the end.', 'WyJ3ZWxsIl0', 2000));

export const ProblemPage = resource('ProblemPage', 'Problems in ascending order of their ids.', {
  items: listOf(BriefProblem, 'The problems.'),
  next,
});

export const AddedProblem = resource('AddedProblem', 'A problem that was added or found.', {
  change,
  added: flag('Whether it was new in this garden.', true),
  problem: nested(Problem, 'The problem.'),
});

export const ChangedMark = resource('ChangedMark', 'The mark after the write.', {
  change,
  mark: nested(Mark, 'The mark.'),
});

export const UndoneChange = resource('UndoneChange', 'What undoing did.', {
  change: idText('The change that was undone.', '123'),
  undone: schemaOf<true>({ type: 'boolean', const: true, description: 'Always true.', examples: [true] }),
  changed: whole('How many parts went back; 0 if it was undone before.', 1),
});

const Token = resource('Token', 'The token of the request.', {
  name: text('Its name.', 'my editor'),
  scopes: listOf(anyText, 'What it may do.', ['practice:mark']),
  expires_at: nullable(time('When it ends; null for never.')),
});

export const Me = resource('Me', 'For whom the token acts.', {
  id: idText('The id of the member.', '1'),
  username: text('The username.', 'ada'),
  day: dayText('The day that it is for the member now.'),
  time_zone: text('The time zone of the member.', 'Europe/Berlin'),
  token: nested(Token, 'The token of the request.'),
});

/* Bodies. */

const problemAddress = line(
  'The address of the problem at its judge.',
  'https://codeforces.com/contest/4/problem/A',
  2048,
);
const addNote = line('Goes below the note, unless the note has it.', 'Solved on paper.', longestProgramNote);
const topic = line('A topic.', 'math', 50);

export const NewProblem = body('NewProblem', ['url'], {
  url: problemAddress,
  title: line('Its title, if it is new here.', 'Watermelon'),
  topics: schemaOf<string[]>({
    type: 'array',
    items: topic,
    maxItems: 20,
    description: 'Its topics, if it is new here.',
    examples: [['math']],
  }),
  list: line('The name of a list of the member, which is made if there is none.', 'To do'),
  status,
  how,
  add_note: addNote,
});

const markChange = body('MarkChange', [], {
  status,
  how: nullable(how),
  starred: flag('Whether it is starred.', true),
  note: nullable(note),
  add_note: addNote,
  minutes: whole('How long the try took that ended now, with solved or trying.', 30, minutesRange),
});
export const MarkChange = Object.assign(markChange, { minProperties: 1 });

/* Reviews. */

const grades = ['again', 'hard', 'good', 'easy'] as const;
const answers = [...grades, 'later', 'never'] as const;
const grade = oneOf(answers, 'How it went; later and never count as no review.', 'good');

const NextDays = resource('NextDays', 'The day on which the problem comes back after each grade.', {
  again: dayText('After again.'),
  hard: dayText('After hard.'),
  good: dayText('After good.'),
  easy: dayText('After easy.'),
});

const LastReview = resource('LastReview', 'The last review.', { grade, day: dayText('Its day.') });

const DueProblem = resource('DueProblem', 'A problem that is due for review.', {
  problem: nested(BriefProblem, 'The problem.'),
  version: line('For If-Match at POST /reviews/{problem}.', '20785.20784.', 100),
  next: nested(NextDays, 'When it comes back.'),
  suggested: nullable(oneOf(grades, 'The grade that the time of today suggests.', 'good')),
  last: nested(LastReview, 'The last review; null before the first.', true),
});

export const Due = resource('Due', 'What is due for review today.', {
  day: dayText('The day of the member.'),
  per_day: whole('How many reviews the member wants a day; 0 for none.', 5),
  done: whole('How many are done today.', 1),
  waiting: whole('How many more are due and come on other days.', 0),
  items: listOf(DueProblem, 'The problems that are due today.'),
});

const Review = resource('Review', 'A review.', {
  problem: idText('The id of the problem.'),
  grade,
  at: time('When it was reviewed.'),
  next_day: nullable(dayText('When it comes back; null for never.')),
});

export const GradedReview = resource('GradedReview', 'A review that was stored.', {
  change,
  review: nested(Review, 'The review.'),
});

export const NewReview = body('NewReview', ['grade'], { grade });

/* Suggestions. */

const Suggestion = resource('Suggestion', 'A problem without any mark.', {
  judge: text('The judge.', 'codeforces'),
  kind: oneOf(
    ['like', 'up', 'stretch'] as const,
    'At the level of the member, a step above it, or two.',
    'up',
  ),
  range: listOf(
    schemaOf<number>({ type: 'integer', format: 'int32' }),
    'Its ratings, from and to.',
    [1400, 1500],
  ),
  problem: nested(BriefProblem, 'The problem.'),
});

export const Suggestions = resource('Suggestions', 'Problems for today, the same all day.', {
  day: dayText('The day of the member.'),
  missing: whole('How many more rated problems of a judge must be solved before the first suggestion.', 0),
  items: listOf(Suggestion, 'The suggestions.'),
});

/* The timer. */

const Timer = resource('Timer', 'A timer.', {
  id: idText('Its id.', '3'),
  problem: idText('The id of the problem.'),
  state: oneOf(
    ['running', 'paused', 'forgotten', 'ended'] as const,
    'Forgotten after 12 hours; stopping it needs minutes.',
    'running',
  ),
  started_at: time('When it began.'),
  minutes: whole('How long it ran, without pauses.', 12),
  version: line('For If-Match.', 'k3v0bq8SfnO2dW1mXzQ4tA', 100),
});

export const RunningTimer = resource('RunningTimer', 'The timer that runs.', {
  timer: nested(Timer, 'The timer; null if none runs.', true),
});

export const ChangedTimer = resource('ChangedTimer', 'The timer after the write.', {
  change,
  timer: nested(Timer, 'The timer.'),
});

export const TimerAction = body('TimerAction', ['action'], {
  action: oneOf(['start', 'pause', 'resume', 'stop', 'discard'] as const, 'What to do.', 'start'),
  problem: idText('With start: the problem.'),
  instead: idText('With start: the id of the timer that is stopped as unsolved.', '3'),
  outcome: oneOf(['solved', 'editorial', 'unsolved'] as const, 'With stop: how it ended.', 'solved'),
  minutes: whole('With stop, of a forgotten timer alone: how long it took.', 30, minutesRange),
});

/* Lists. */

export const ListSummary = resource('ListSummary', 'A list of the member.', {
  id: idText('Its id.', '3'),
  name: text('Its name.', 'To do'),
  visibility: oneOf(['private', 'garden', 'secret'] as const, 'Who sees it.', 'private'),
  problems: whole('How many problems it has.', 12),
  solved: whole('How many of them the member solved.', 5),
  updated_at: time('When it changed last.'),
  version: line('For If-Match.', '4', 100),
});

export const ListPage = resource('ListPage', 'Lists in ascending order of their ids.', {
  items: listOf(ListSummary, 'The lists.'),
  next,
});

/** A part of practice-list/1 (docs/lists.md); other members than these are stored, and written again. */
function listPart<T extends Record<string, TSchema>>(
  title: string,
  description: string,
  required: string[],
  fields: T,
) {
  const schema = body(title, required, fields);
  return Object.assign(schema, { description, additionalProperties: true }) as typeof schema;
}

export const ListProblem = listPart(
  'ListProblem',
  'A problem in a list: its address, or its source and key.',
  [],
  {
    url: nullable(text('Its address.', 'https://codeforces.com/contest/7/problem/A', 2048)),
    title: nullable(text('Its title, which counts only for a problem that is new here.', 'Watermelon')),
    memo: nullable(text('A memo beside it.', 'Think of parity.', 200)),
    source: nullable(text('Its judge, where the address does not lead to the problem.', 'codeforces', 200)),
    key: nullable(text('Its key there.', '7A', 200)),
    rating: nullable(whole('Its difficulty; not read.', 800)),
    tags: nullable(listOf(anyText, 'Its topics; not read.', ['math'])),
  },
);

export const ListSection = listPart('ListSection', 'A section of a list.', ['problems'], {
  name: text('Its name.', 'Warm up', 200),
  problems: listOf(ListProblem, 'Its problems in their order.', [
    { url: 'https://codeforces.com/contest/7/problem/A', memo: 'Think of parity.' },
  ]),
});

export const PracticeList = listPart(
  'PracticeList',
  'A list in the form practice-list/1, with other members than these too.',
  ['format', 'title', 'sections'],
  {
    format: oneOf(['practice-list/1'] as const, 'The form.', 'practice-list/1'),
    title: line('The name of the list.', 'Trees II'),
    by: text('Its owner; not read.', 'ada'),
    updated: text('The day of its last change; not read.', '2026-11-28'),
    sections: listOf(ListSection, 'Its sections in their order; those without problems are left out.', [
      { name: 'Warm up', problems: [{ url: 'https://codeforces.com/contest/7/problem/A' }] },
    ]),
  },
);

export const StoredList = resource('StoredList', 'What the write did.', {
  change,
  id: idText('The id of the list.', '3'),
  version: line('For If-Match.', '5', 100),
  added: whole('How many of its problems were new in this garden.', 0),
});

export const ListItem = body('ListItem', [], {
  problem: idText('The problem; or `url`.'),
  url: problemAddress,
  memo: line('A memo beside it.', 'With two pointers.'),
  section: line('The name of its section, which is made at the end if there is none.', 'Warm up'),
});

export const ChangedList = resource('ChangedList', 'The list after the write.', {
  change,
  id: idText('The id of the list.', '3'),
  version: line('For If-Match.', '5', 100),
  problem: idText('The id of the problem.'),
  added: flag('Whether the problem was new in this garden.', false),
});

/* Own code. */

const solutionFields = {
  id: idText('Its id.', '3'),
  problem: idText('The id of the problem.'),
  file: text('The name of the file.', 'main.cpp', 100),
  language: nullable(text('The language, by the ending of the name; null for another one.', 'C++')),
  about: nullable(text('What the code does.', 'Two pointers.', 200)),
  submission: nullable(text('Number or address of the submission.', '123456', 200)),
  bytes: whole('How many bytes the code has.', 13),
  sha256: text(
    'The SHA-256 of these bytes, in hexadecimal digits.',
    '00096d96da5299e65479678a8e79b07ab36e6185120e892a1360e1be25e84fbb',
    64,
  ),
  added_at: time('When it was added.'),
};

const Solution = resource('Solution', 'A file of own code, without the code.', solutionFields);

export const SolutionPage = resource('SolutionPage', 'Own code of a problem, the oldest first.', {
  items: listOf(Solution, 'The files.'),
  next,
});

const code = line('The code, in UTF-8 at most 64 KiB, without U+0000.', 'int main() {}', 65_536);

export const SolutionWithCode = resource('SolutionWithCode', 'A file of own code.', {
  ...solutionFields,
  code: Object.assign({}, code, {
    description: 'The code. Bytes that are no UTF-8 are read as Windows-1252.',
  }),
});

export const AddedSolution = resource('AddedSolution', 'Own code that was added or found.', {
  change,
  solution: nested(Solution, 'The file.'),
});

export const NewSolution = body('NewSolution', ['file', 'code'], {
  file: line('The name of the file; its ending says the language.', 'main.cpp', 100),
  code,
  about: line('What the code does, in one line.', 'Two pointers.'),
  submission: line('Number or address of the submission.', '123456'),
});

/* Changes. */

const Author = resource('Author', 'Who changed it.', {
  kind: oneOf(
    ['program', 'website', 'judge', 'inbox', 'import', 'staff'] as const,
    'By which way the change came.',
    'program',
  ),
  name: nullable(line('The name of the token of a program.', 'my editor')),
});

const Change = resource('Change', 'A thing at its latest change.', {
  kind: oneOf(
    ['mark', 'review', 'time', 'list', 'problem', 'solution'] as const,
    'What it is; a time is that of an ended timer, a problem one that the member added.',
    'mark',
  ),
  id: idText('The id of the thing; of a mark, that of its problem.'),
  problem: nullable(idText('The problem that it belongs to.')),
  at: time('When it changed.'),
  by: nested(Author, 'Who changed it.'),
  change: nullable(idText('Undoes a write of a program at POST /undo/{change}.', '123')),
  state: schemaOf<object | null>({
    type: ['object', 'null'],
    description: 'The thing as it is now, code left out; null if it is gone.',
    examples: [{ problem: '7', status: 'solved' }],
  }),
  into: nullable(idText('The problem that took its place, if the two were merged.', '8')),
});

export const ChangePage = resource('ChangePage', 'What changed, in the order of commits.', {
  items: listOf(Change, 'The things.'),
  next: line('For `after`, whether there is more or not.', 'MTIuMjA3ODUuOGYyYg', 2000),
  more: flag('Whether more has changed by now.', false),
});

export const nestedSchemas: readonly ObjectSchema[] = [
  ...[
    Mark,
    BriefMark,
    Problem,
    BriefProblem,
    Token,
    NextDays,
    LastReview,
    DueProblem,
    Review,
    Suggestion,
    Timer,
    ListSummary,
    Solution,
    Author,
    Change,
  ],
];
