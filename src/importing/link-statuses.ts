/**
 * Finds what a text says of its links: solved or not, by a tick, a column such as Done, a line such as `Status: Done`,
 * a member of a JSON object, or a heading such as To do. Every pattern is bounded, so that hostile text takes no longer.
 */

import { tidyLine } from '../practice/lists.ts';
import { cellsIn, longestRow, separators } from './text-tables.ts';

export interface LinkStatus {
  /** As the file has it, such as `Done: FALSE`. */
  text: string;
  /** Undefined where only the member knows whether it means solved. */
  isSolved: boolean | undefined;
}

const wordSet = (text: string) => new Set(text.split(/\s*[,\n]\s*/));

/* The words of the website's languages, of German and of French, with those of their spreadsheets for TRUE and FALSE. */

const solvedWords =
  wordSet(`[x],✓,✔,✅,☑,√,🟢,true,yes,y,v,1,100%,ok,ac,done,solved,complete,completed,finished
accepted,passed,mastered,是,对,完成,已完成,解决,已解决,通过,已通过,做完,已做,已掌握,解決済み,完了,済,済み,解けた,はい
예,네,완료,해결,성공,정답,да,решено,решена,готово,сделано,выполнено,истина,sí,si,hecho,resuelto,completado,terminado
aceptado,verdadero,sim,feito,resolvido,concluído,completo,aceito,verdadeiro,ja,wahr,erledigt,gelöst,fertig,oui,vrai
fait,résolu,terminé`);
const unsolvedWords =
  wordSet(`[ ],[-],[/],✗,✘,❌,⬜,☐,⬛,🔲,🔴,×,-,–,—,false,no,n,0,0%,none,null,todo,to do,to-do
unsolved,incomplete,pending,in progress,wip,doing,attempted,tried,trying,partial,failed,skipped,backlog,revisit,notac
wa,tle,mle,re,ce,否,待做,尝试过,进行中,進行中,いいえ,아니오,시작 전,진행 중,нет,в процессе,ложь,no resuelto,pendiente
en curso,en progreso,falso,não,pendente,em andamento,em progresso,nein,falsch,offen,ungelöst,non,faux,à faire,en cours
non résolu`);
const unsolvedStart =
  /^(?:(?:not|nicht|sin|não|не) |[未미]|wrong answer|\w{1,10} limit|(?:runtime|presentation|compil\w{1,10}) error)/;
/** Spreadsheets have the day of the solve in such a column. */
const day = /^\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}|^\d{1,2}[-/.]\d{1,2}[-/.]\d{4}\b/;
const signs = /[✓✔✅☑🟢✗✘❌⬜☐⬛🔲🔴]/gu;

/** Undefined for other words. */
function meaningOf(text: string): boolean | undefined {
  const plain = text.normalize('NFKC').toLowerCase();
  const all = plain
    .replaceAll(/[\uFE0F*`"]/g, '')
    .replaceAll(/[\s_]+/g, ' ')
    .replace(/^[ (]+|[ .!)]+$/g, '');
  // Such as "✅ Done".
  const word = /\p{L}/u.test(all) ? all.replaceAll(signs, '').trim() : all;
  if (solvedWords.has(word) || day.test(word)) return true;
  return word === '' || unsolvedWords.has(word) || unsolvedStart.test(word) ? false : undefined;
}

/** Whether a word says this also where nothing is named after it. */
const isClear = (text: string) =>
  /\p{So}|^\[.?\]$|^(?:yes|no)$|\p{L}{4}|[\p{Script=Han}\p{Script=Hangul}]{2}/iu.test(text) &&
  !/^(?:none|null)$|\d/i.test(text) &&
  meaningOf(text) !== undefined;

const statusNames =
  wordSet(`status,state,progress,check,checked,result,verdict,状态,进度,结果,状態,ステータス,進捗,結果,상태,결과
статус,состояние,вердикт,estado,progreso,progresso,resultado,situação,statut,état`);
const otherNames = /\b(?:by(?! me)|count|not|rate|total|number|users|people|code)\b|#|人数|次数|率|数$/;

/** How likely a column, property or member says what is solved: 2, 1, or 0 for not at all. */
function rankOf(name: string): number {
  const words = name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKC')
    .toLowerCase();
  const plain = words.replaceAll(/[\uFE0F*`"?_:]/g, ' ').trim();
  if (plain === '' || plain.length > 40 || otherNames.test(plain)) return 0;
  const all = [plain, plain.replace(/^(?:是否|我的)|(?:情况|状态|了)$/g, ''), ...plain.split(/[\s()/-]+/)];
  const isDone = all.some((word) => isClear(word) && meaningOf(word));
  return isDone ? 2 : Number(all.some((word) => statusNames.has(word)));
}

const named = (name: string, value: string): LinkStatus => ({
  text: tidyLine(`${tidyLine(name, 30)}: ${day.test(value) ? 'YYYY-MM-DD' : tidyLine(value) || '–'}`, 60),
  isSolved: meaningOf(value),
});

/** Known only if all say the same. */
const together = (all: readonly LinkStatus[]): LinkStatus | undefined =>
  all[0] && {
    text: tidyLine(all.map(({ text }) => text).join(' · '), 60),
    isSolved: all.every(({ isSolved }) => isSolved === all[0]?.isSolved) ? all[0].isSolved : undefined,
  };

/* Lists with ticks, tables with separators, and properties. */

interface Table {
  separator: string;
  /** Undefined without a header. */
  names: readonly string[] | undefined;
  /** -1 where no column is known to say what is solved. */
  statusColumn: number;
}

const linesOfRowAtMost = 30;

const cellsOf = (row: string, separator: string) => cellsIn(row, separator).map(({ cell }) => cell.trim());

/** A quoted cell may have several lines. */
function linesOfRow(lines: readonly string[], at: number, separator: string): number {
  const isOdd = (line = '') => line.split('"').length % 2 === 0;
  const isOpen = isOdd(lines[at]) && new RegExp(`(?:^|[${separator}])\\s*"`).test(lines[at] ?? '');
  return isOpen ? lines.slice(at + 1, at + linesOfRowAtMost).findIndex(isOdd) + 2 : 1;
}

/** Above the header of a table there can be rows with its title or with sums. */
function tableAt(line: string, before: Table | undefined): Table | undefined {
  const isHeader = !line.includes('://');
  if (before && (!isHeader || before.statusColumn >= 0)) return before;
  const tables = separators.flatMap((separator) => {
    const names = line.includes(separator) ? cellsOf(line, separator) : [];
    const ranks = isHeader ? names.map(rankOf) : [];
    const isSum = ranks.some((rank, at) => rank > 0 && /^\d/.test(names[at + 1] ?? ''));
    return names.length > 1
      ? [{ separator, names, statusColumn: isSum ? -1 : ranks.indexOf(Math.max(1, ...ranks)) }]
      : [];
  });
  const [widest] = tables.toSorted((one, other) => other.names.length - one.names.length);
  const found = tables.find(({ statusColumn }) => statusColumn >= 0);
  return found ?? before ?? (widest && { ...widest, names: isHeader ? widest.names : undefined });
}

/** Without a column that is known to say it, clear words count; below a name that is not known, they are asked for. */
function statusOfRow(row: string, { separator, names, statusColumn }: Table): LinkStatus | undefined {
  const cells = cellsOf(row, separator);
  // A title with commas that are not quoted makes more cells.
  const column = statusColumn + Math.max(0, cells.length - (names?.length ?? 0));
  if (statusColumn >= 0) return named(names?.[statusColumn] ?? '', cells[column] ?? '');
  const clear = cells.flatMap((cell, at): LinkStatus[] => {
    const name = names?.[at] ?? '';
    if (!isClear(cell)) return [];
    return [/\p{L}/u.test(name) ? { ...named(name, cell), isSolved: undefined } : statusOf(cell)];
  });
  return together(clear);
}

const statusOf = (text: string): LinkStatus => ({ text: tidyLine(text, 60), isSolved: meaningOf(text) });

/** Also the states of Org mode. */
const tick =
  /^[\s>]{0,20}(?:(?:[-*+•]{1,9}|\d{1,5}[.)])\s{0,20})?(?:\\?\[([ xX✓✔/-]?)\\?\](?=\s)|(TODO|DONE) )/;
const listItem = /^\s{0,20}(?:[-*+•]|\d{1,5}[.)])\s/;
const property = /^[\s>*-]{0,10}([\p{L}_? ]{2,30})\*{0,2}\s{0,3}::?\s{0,3}\*{0,2}([^\n]{1,60})$/u;

/** What a line says outside of a table. */
export function statusOfLine(line: string): LinkStatus | undefined {
  const [, mark, state] = tick.exec(line) ?? [];
  if (state) return statusOf(state);
  if (mark !== undefined) return statusOf(`[${/[xX✓✔]/.test(mark) ? 'x' : mark || ' '}]`);
  const [, name = '', value = ''] = line.includes('://') ? [] : (property.exec(line) ?? []);
  if (name !== '' && rankOf(name) > 0 && meaningOf(value) !== undefined) return named(name, value);
  const found = new Set(line.replaceAll(/\[[^[\]]{0,200}\]\(/g, '').match(signs));
  return together([...found].map(statusOf));
}

/** The lines and rows that say something of the links in them. */
function* rangesIn(text: string): Generator<{ status: LinkStatus; start: number; end: number }> {
  const lines = text.split('\n');
  let item: { indent: number; hasLink: boolean; status: LinkStatus } | undefined;
  let table: Table | undefined;
  let [offset, isBelowText] = [0, false];
  for (let at = 0; at < lines.length; ) {
    const whole = lines[at] ?? '';
    const line = whole.slice(0, longestRow);
    if (line.trim() === '') {
      [table, isBelowText] = [undefined, false];
      offset += whole.length + 1;
      at++;
      continue;
    }
    const isOutside = tick.test(line) || (table && !line.includes(table.separator));
    table = isOutside ? undefined : tableAt(line, table);
    const lineCount = table ? linesOfRow(lines, at, table.separator) : 1;
    const row = lines.slice(at, at + lineCount).join('\n');
    const inRow = table && statusOfRow(row.slice(0, longestRow), table);
    const own = inRow ?? statusOfLine(line);
    const indent = line.search(/\S|$/);
    const isContinued = isBelowText && !item?.hasLink && !/^\s*#/.test(line) && !listItem.test(line);
    if (item && !isContinued && indent <= item.indent) item = undefined;
    // Other links below one that is solved are not.
    const status = own ?? (item?.hasLink && item.status.isSolved ? undefined : item?.status);
    if (status) yield { status, start: offset, end: offset + row.length };
    if (own && !inRow) item = { indent, hasLink: row.includes('://'), status: own };
    isBelowText = true;
    offset += row.length + 1;
    at += lineCount;
  }
}

/* HTML and JSON. */

/** Boxes of GitHub, Notion and Google Sheets, and what Codeforces and CSES show of a problem. */
const htmlSigns: readonly (readonly [sign: string, attributes: RegExp])[] = [
  ['✅', /^input\b(?=.*\btype\s{0,3}=\s{0,3}["']?checkbox).*\schecked\b/is],
  ['⬜', /^input\b.*\btype\s{0,3}=\s{0,3}["']?checkbox/is],
  ['✅', /["'\s](?:checkbox-on|#checkedCheckboxId|accepted-problem|task-score icon[^"']*\bfull)\b/i],
  ['⬜', /["'\s](?:checkbox-off|#uncheckedCheckboxId|rejected-problem|task-score icon)\b/i],
];

/** Rows of tables become lines with tabs, and items of lists become lines, at the same offsets. */
function flattened(text: string): string {
  if (!text.includes('<')) return text;
  const isPage = /<(?:!doctype|html)\b/i.test(text.slice(0, 2000));
  // Rows of Codeforces that were never tried have no sign.
  const rowSign = /\baccepted-problem\b/.test(text) ? '⬜' : '';
  let isInside = isPage;
  return text.replaceAll(/\n|<(\/?[a-z][a-z\d]{0,9})\b[^<>]{0,2000}>/gi, (whole, name = '') => {
    const tag = name.toLowerCase();
    const isStart = /^(?:tr|li)$/.test(tag);
    if (!isInside && !isStart) return whole;
    isInside = isPage || !/^\/(?:table|[uo]l)$/.test(tag);
    if (tag === '') return ' ';
    const found = htmlSigns.find(([, attributes]) => attributes.test(whole.slice(1)));
    const sign = found?.[0] ?? (tag === 'tr' ? rowSign : '');
    const lineBreak = isStart || /^(?:\/li|\/[uo]l|h\d|\/table)$/.test(tag) ? '\n' : '';
    const start = tag === 'li' ? '- ' : /^t[dh]$/.test(tag) ? '\t' : tag === 'a' ? '://' : '';
    const end = tag === '/table' ? '\n' : '';
    const { length } = whole;
    return (lineBreak + sign + start).slice(0, length - end.length).padEnd(length - end.length) + end;
  });
}

const deepestJson = 100;

/** By address: a member such as `done` says it of the links in its object, also in objects and texts within. */
function addStatuses(
  statuses: Map<string, LinkStatus>,
  value: unknown,
  status: LinkStatus | undefined,
  depth = 0,
): void {
  if (typeof value === 'string' && status && value.includes('/')) statuses.set(value, status);
  if (typeof value !== 'object' || value === null || depth > deepestJson) return;
  const isArray = Array.isArray(value);
  const isStatus = ([name, member]: [string, unknown]) =>
    rankOf(name) > 0 && Object(member) !== member && !String(member).includes('/');
  const [best] = Object.entries(isArray ? {} : value)
    .filter(isStatus)
    .toSorted(([one], [other]) => rankOf(other) - rankOf(one));
  const own = best ? named(best[0], String(best[1])) : status;
  for (const member of Object.values(value))
    addStatuses(statuses, member, isArray && typeof member === 'object' ? undefined : own, depth + 1);
}

type Piece = { offset: number; status?: LinkStatus } & ({ heading: string } | { address: string });

/** Gives each link its status in the text, else that of a heading above it such as To do. */
export function setStatuses(text: string, pieces: readonly Piece[], json: unknown): void {
  const byAddress = new Map<string, LinkStatus>();
  addStatuses(byAddress, json, undefined);
  const ranges = json === undefined ? [...rangesIn(flattened(text))] : [];
  let below: LinkStatus | undefined;
  let next = 0;
  for (const piece of pieces) {
    while ((ranges[next]?.end ?? Number.POSITIVE_INFINITY) < piece.offset) next++;
    const range = ranges[next];
    if ('heading' in piece) {
      const status = statusOf(piece.heading);
      below = piece.heading && status.isSolved !== undefined ? status : undefined;
    } else {
      const isWithin = range && range.start <= piece.offset;
      const status = byAddress.get(piece.address) ?? (isWithin ? range.status : below);
      if (status) piece.status = status;
    }
  }
}
