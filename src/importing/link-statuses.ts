/**
 * Finds what a text says of its links: solved or not, by a tick, a column such as Done, a property such as `status:`,
 * a member of a JSON object, or a heading such as To do. Every pattern is bounded, so that hostile text takes no longer.
 */

import { visit } from 'jsonc-parser';
import { tidyLine } from '../practice/lists.ts';

export interface LinkStatus {
  /** As the file has it, such as `Done: FALSE`. */
  text: string;
  /** Undefined where only the member knows whether it means solved. */
  isSolved: boolean | undefined;
}

interface TextRange {
  start: number;
  end: number;
}

type StatusRange = TextRange & LinkStatus;

const wordSet = (text: string) => new Set(text.split(/\s*[,\n]\s*/));

/* The words of the website's languages, of German and of French, with those of their spreadsheets for TRUE and FALSE. */

const solvedWords =
  wordSet(`[x],[✓],[✔],✓,✔,✅,☑,√,🟩,🟢,👍,true,yes,y,v,1,100%,ok,ac,done,solved,complete,completed
finished,accepted,passed,mastered,是,对,完成,已完成,解决,已解决,通过,已通过,做完,已做,掌握,已掌握,解決,解決済み,完了,済,済み,解けた,正解
はい,예,네,완료,해결,성공,정답,맞았습니다,да,решено,решена,решил,решила,готово,сделано,выполнено,истина,sí,si,hecho,hecha
resuelto,resuelta,completado,completada,terminado,terminada,aceptado,verdadero,sim,feito,feita,resolvido,resolvida
concluído,concluída,concluido,completo,aceito,verdadeiro,ja,wahr,erledigt,gelöst,fertig,oui,vrai,fait,résolu,terminé`);
const unsolvedWords =
  wordSet(`[ ],[],[-],[/],[~],✗,✘,❌,⬜,☐,⬛,🔲,🔳,🟥,🔴,⏳,👎,×,-,–,—,false,no,n,0,0%,none,null,todo,to do,to-do
not done,not solved,unsolved,not started,not attempted,not yet,incomplete,uncompleted,pending,in progress,wip,doing
attempted,tried,trying,partial,partially solved,failed,skip,skipped,backlog,revisit,notac,wa,tle,mle,re,ce,ole,wj
否,未,未完成,未做,待做,未解决,未通过,没做,尝试过,尝试,进行中,未解決,未完了,未着手,未開始,進行中,いいえ,아니오,미완료,미해결,시작 전
진행 중,진행중,실패,нет,не решено,не решена,не начато,в процессе,попытка,ложь,sin resolver,no resuelto,sin empezar
pendiente,en curso,en progreso,intentado,falso,não,nao,não resolvido,não iniciado,não iniciada,pendente
em andamento,em progresso,tentado,nein,falsch,offen,ungelöst,nicht gelöst,non,faux,à faire,en cours,non résolu`);
const unsolvedVerdict =
  /^(?:wrong answer|(?:time|memory|output|idleness) limit|runtime error|compil\w{1,10} error|presentation error)/;
/** Spreadsheets have the day of the solve in such a column. */
const day = /^\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}|^\d{1,2}[-/.]\d{1,2}[-/.]\d{4}\b/;
const signs = /[✓✔✅☑🟩🟢✗✘❌⬜☐⬛🔲🔳🟥🔴⏳]/gu;

/** Undefined for other words. */
function meaningOf(text: string): boolean | undefined {
  const plain = text.normalize('NFKC').toLowerCase();
  const all = plain
    .replaceAll(/[\uFE0F*`"]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[ (]+|[ .!)]+$/g, '');
  // Such as "✅ Done".
  const word = /\p{L}/u.test(all) ? all.replaceAll(signs, '').trim() : all;
  if (solvedWords.has(word) || day.test(word)) return true;
  return word === '' || unsolvedWords.has(word) || unsolvedVerdict.test(word) ? false : undefined;
}

/** Whether a word says this also where nothing is named after it. */
const isClear = (text: string) =>
  /\p{So}|^\[.?\]$|^(?:yes|no)$|\p{L}{4}|[\p{Script=Han}\p{Script=Hangul}]{2}/iu.test(text) &&
  !/^(?:none|null)$|\d/i.test(text) &&
  meaningOf(text) !== undefined;

const doneNames =
  wordSet(`✅,✓,✔,☑,done,solved,completed,complete,finished,完成,已完成,解决,已解决,通过,做完,解決,完了,済,済み
解いた,완료,해결,решено,решена,готово,сделано,выполнено,hecho,resuelto,resuelta,completado,terminado,feito,resolvido
resolvida,concluído,erledigt,gelöst,fertig,fait,résolu,terminé`);
const statusNames =
  wordSet(`status,state,progress,check,checked,result,verdict,状态,进度,结果,状態,ステータス,進捗,結果,상태,결과
статус,состояние,вердикт,estado,progreso,progresso,resultado,situação,statut,état`);
const otherNames = /\b(?:by(?! me)|count|rate|total|number|users|people|code)\b|[%#]|人数|次数|率|数$/;

/** How likely a column, property or member says what is solved: 2, 1, or 0 for not at all. */
function rankOf(name: string): number {
  const words = name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKC')
    .toLowerCase();
  const plain = words.replaceAll(/[\uFE0F*`"?_:]/g, ' ').trim();
  if (plain === '' || plain.length > 40 || otherNames.test(plain)) return 0;
  const all = [plain, plain.replace(/^(?:是否|我的)|(?:情况|状态|了)$/g, ''), ...plain.split(/[\s()/-]+/)];
  return all.some((word) => doneNames.has(word)) ? 2 : Number(all.some((word) => statusNames.has(word)));
}

const named = (name: string, value: string): LinkStatus => ({
  text: tidyLine(`${tidyLine(name, 30)}: ${tidyLine(value) || '–'}`, 60),
  isSolved: meaningOf(value),
});

interface Columns {
  names: readonly string[];
  /** -1 where no column is known to say what is solved. */
  statusColumn: number;
}

function columnsOf(names: readonly string[]): Columns {
  const ranks = names.map(rankOf);
  return { names, statusColumn: ranks.indexOf(Math.max(1, ...ranks)) };
}

/** Without a column that is known to say it, clear words count; below a name that is not known, they are asked for. */
function statusOfRow(cells: readonly string[], columns: Columns | undefined): LinkStatus | undefined {
  const { names = [], statusColumn = -1 } = columns ?? {};
  // A title with commas that are not quoted makes more cells.
  const value = cells[statusColumn + Math.max(0, cells.length - names.length)] ?? '';
  if (statusColumn >= 0) return named(names[statusColumn] ?? '', value);
  const clear = cells.flatMap((cell, column) => (isClear(cell) ? [named(names[column] ?? '', cell)] : []));
  const [first] = clear;
  if (!first) return undefined;
  const isKnown = !columns && clear.every(({ isSolved }) => isSolved === first.isSolved);
  const text = clear.map((one) => one.text.replace(/^: /, '')).join(' · ');
  return { text: tidyLine(text, 60), isSolved: isKnown ? first.isSolved : undefined };
}

/* Text: lists with ticks, tables with separators, and properties. */

const tick = /^(?:[\s>]{0,20}(?:[-*+•]|\d{1,5}[.)]))?\s{0,20}\\?\[([ xX✓✔/~-]?)\\?\](?=\s)/;
const listItem = /^\s{0,20}(?:[-*+•]|\d{1,5}[.)])\s/;
const property = /^[\s>*-]{0,10}([\p{L}_? ]{2,30})\*{0,2}\s{0,3}::?\s{0,3}\*{0,2}([^\n]{1,60})$/u;

/** What a line says outside of a table. */
function statusOfLine(line: string): LinkStatus | undefined {
  const [, mark] = tick.exec(line) ?? [];
  const box = mark && `[${mark.toLowerCase()}]`;
  if (mark !== undefined) return { text: box || '[ ]', isSolved: meaningOf(box || '[ ]') };
  const found = [...new Set(line.replaceAll(/\[[^[\]]{0,200}\]\(/g, '').match(signs))];
  const [first] = found;
  if (first === undefined) return undefined;
  const isKnown = found.every((sign) => meaningOf(sign) === meaningOf(first));
  return { text: found.join(' '), isSolved: isKnown ? meaningOf(first) : undefined };
}

const longestRow = 4000;
const linesOfRowAtMost = 30;
const separators = ['\t', '|', ';', ','];

function cellsOf(row: string, separator: string): string[] {
  const text = separator === '|' ? row.trim().replace(/^\||\|$/g, '') : row;
  const pattern = new RegExp(`(?:\\s*"((?:[^"]|"")*)"\\s*|([^${separator}]*))(?:[${separator}]|$)`, 'g');
  const found = [...text.matchAll(pattern)].filter(({ index }, count) => index < text.length || count === 0);
  const cells = found.map(({ 1: cell, 2: plain = '' }) => (cell?.replaceAll('""', '"') ?? plain).trim());
  return text.endsWith(separator) ? [...cells, ''] : cells;
}

/** A quoted cell may have several lines. Returns 0 where the quote is not closed. */
function linesOfRow(lines: readonly string[], at: number, separator: string): number {
  const quoted = new RegExp(`(^|[${separator}])\\s*"(?:[^"]|"")*"\\s*(?=[${separator}]|$)`, 'g');
  const open = new RegExp(`(?:^|[${separator}])\\s*"`);
  let row = '';
  for (let count = 1; count <= linesOfRowAtMost; count++) {
    row += `${lines[at + count - 1] ?? ''}\n`;
    if (row.length > longestRow) return 0;
    if (!open.test(row.trimEnd().replaceAll(quoted, '$1'))) return count;
  }
  return 0;
}

interface TextTable {
  separator: string;
  columns: Columns | undefined;
}

function tableAt(line: string): TextTable | undefined {
  const tables = separators.flatMap((separator) => {
    const cells = line.includes(separator) ? cellsOf(line, separator) : [];
    return cells.length > 1 ? { separator, columns: columnsOf(cells) } : [];
  });
  const [widest] = tables.toSorted((one, other) => other.columns.names.length - one.columns.names.length);
  if (line.includes('://')) return widest && { separator: widest.separator, columns: undefined };
  return tables.find(({ columns }) => columns.statusColumn >= 0) ?? widest;
}

/** Above the header of a table there can be rows with its title or with sums. */
function withHeader(table: TextTable, line: string): TextTable {
  const next = line.includes('://') || (table.columns?.statusColumn ?? 0) >= 0 ? undefined : tableAt(line);
  const { statusColumn = -1, names = [] } = next?.columns ?? {};
  return next && statusColumn >= 0 && !names.some((name) => /^\d/.test(name)) ? next : table;
}

interface Item {
  indent: number;
  hasLink: boolean;
  status: LinkStatus;
}

function* textRanges(text: string): Generator<StatusRange> {
  const lines = text.split('\n');
  const items: Item[] = [];
  let table: TextTable | undefined;
  let [offset, isBelowText, unclosedTo] = [0, false, 0];
  for (let at = 0; at < lines.length; ) {
    const line = (lines[at] ?? '').slice(0, longestRow);
    const isBlank = line.trim() === '';
    if (isBlank || tick.test(line) || (table && !line.includes(table.separator))) table = undefined;
    else table = table ? withHeader(table, line) : tableAt(line);
    const isQuoted = table && table.separator !== '|' && line.includes('"') && at >= unclosedTo;
    const closedAfter = table && isQuoted ? linesOfRow(lines, at, table.separator) : 1;
    // Otherwise many such lines would each be read thirty times.
    if (closedAfter === 0) unclosedTo = at + linesOfRowAtMost;
    const lineCount = Math.max(1, closedAfter);
    const row = lines.slice(at, at + lineCount).join('\n');
    const inRow = table && statusOfRow(cellsOf(row.slice(0, longestRow), table.separator), table.columns);
    const status = inRow ?? statusOfLine(line);
    const indent = line.search(/\S|$/);
    const isContinued =
      isBelowText && !status && !items.at(-1)?.hasLink && !/^\s*#/.test(line) && !listItem.test(line);
    while (!isBlank && !isContinued && indent <= (items.at(-1)?.indent ?? -1)) items.pop();
    const item = items.at(-1);
    // Other links below one that is solved are not.
    const inherited = item && !isBlank && !(item.hasLink && item.status.isSolved) ? item.status : undefined;
    const found = status ?? inherited;
    if (found) yield { ...found, start: offset, end: offset + row.length };
    if (status && !inRow) items.push({ indent, hasLink: row.includes('://'), status });
    isBelowText = !isBlank;
    offset += row.length + 1;
    at += lineCount;
  }
}

/** A property such as `Status: Done` belongs to the links of its paragraph or item. */
function* propertyRanges(text: string): Generator<StatusRange> {
  let [start, offset] = [0, 0];
  let found: LinkStatus | undefined;
  for (const line of `${text}\n`.split('\n')) {
    if (line.trim() === '' || (listItem.test(line) && line.includes('://'))) {
      if (found) yield { ...found, start, end: offset };
      [start, found] = [offset, undefined];
    }
    const [, name = '', value = ''] =
      line.length > 120 || line.includes('://') ? [] : (property.exec(line) ?? []);
    if (rankOf(name) > 0 && meaningOf(value) !== undefined) found ??= named(name, value);
    offset += line.length + 1;
  }
}

/* JSON. */

interface JsonFrame {
  isArray: boolean;
  name: string;
  status?: LinkStatus;
  rank: number;
  strings: TextRange[];
}

/** A member such as `done` says it of the links in its object, also in objects and lists of texts within. */
function jsonRanges(text: string): StatusRange[] {
  const ranges: StatusRange[] = [];
  const frames: JsonFrame[] = [];
  const begin = (isArray: boolean) => void frames.push({ isArray, name: '', rank: 0, strings: [] });
  const end = () => {
    const { status, strings = [], isArray = false } = frames.pop() ?? {};
    const parent = frames.at(-1);
    if (status) for (const range of strings) ranges.push({ ...status, ...range });
    else if (parent && (isArray || !parent.isArray)) parent.strings.push(...strings);
  };
  visit(text, {
    onObjectBegin: () => begin(false),
    onObjectEnd: end,
    onArrayBegin: () => begin(true),
    onArrayEnd: end,
    onObjectProperty: (name) => {
      Object.assign(frames.at(-1) ?? {}, { name });
    },
    onLiteralValue: (value: unknown, offset, length) => {
      const frame = frames.at(-1);
      const rank = frame && !frame.isArray ? rankOf(frame.name) : 0;
      if (typeof value === 'string' && value.includes('/'))
        frame?.strings.push({ start: offset, end: offset + length });
      else if (frame && rank > frame.rank)
        Object.assign(frame, { rank, status: named(frame.name, String(value)) });
    },
  });
  return ranges;
}

/* HTML: rows of tables, and items of lists with a box to tick. */

interface HtmlFrame extends Pick<TextRange, 'start'> {
  tag: string;
  status?: LinkStatus;
  /** Of a row. */
  cells: string[];
  hasData: boolean;
  /** Of a table. */
  columns?: Columns;
  rowsWithoutStatus: TextRange[];
}

/** Boxes of Notion and Google Sheets, and what Codeforces and CSES show of a problem. */
const signAttribute =
  /\b(?:class|href)\s{0,3}=\s{0,3}["'](?:[^"']*\s)?(checkbox-o(?:n|ff)|#(?:un)?checkedCheckboxId|(?:accepted|rejected)-problem|task-score icon[^"']*)/i;

function boxOf(tag: string, attributes: string): string | undefined {
  const isInput = tag === 'input' && /\btype\s{0,3}=\s{0,3}["']?checkbox/i.test(attributes);
  const [, sign] = signAttribute.exec(attributes) ?? [];
  if (!isInput && sign === undefined) return undefined;
  const isTicked = isInput
    ? /\schecked\b/i.test(attributes)
    : /-on$|^#checked|^accepted|\bfull\b/i.test(sign ?? '');
  return isTicked ? '[x]' : '[ ]';
}

const boxStatus = (box: string): LinkStatus => ({ text: box, isSolved: meaningOf(box) });
const deepestHtml = 100;

function htmlRanges(text: string): StatusRange[] {
  const ranges: StatusRange[] = [];
  const frames: HtmlFrame[] = [];
  let [cellStart, cellBox] = [-1, ''];
  const innermost = (name: string) => frames.findLast(({ tag }) => tag === name);
  const endCell = (end: number) => {
    const cell = text.slice(cellStart, Math.min(end, cellStart + 2000)).replaceAll(/<[^<>]{0,1000}>/g, ' ');
    if (cellStart >= 0) innermost('tr')?.cells.push(tidyLine(cell) || cellBox);
    [cellStart, cellBox] = [-1, ''];
  };
  const endRow = (row: HtmlFrame, end: number) => {
    const { start, cells, hasData, status } = row;
    const table = innermost('table');
    const columns = columnsOf(cells);
    const isLinked = hasData && /<a\s|:\/\//i.test(text.slice(start, end));
    // Spreadsheets have a row of letters above the header.
    const known = table?.columns?.statusColumn ?? -2;
    const isHeader = !isLinked && known < 0 && columns.statusColumn > known;
    if (isHeader && table && cells.length > 1) table.columns = columns;
    const found = isHeader ? undefined : (statusOfRow(cells, table?.columns) ?? status);
    if (found) ranges.push({ ...found, start, end });
    else table?.rowsWithoutStatus.push({ start, end });
    if (table && status) table.status = status;
  };
  const close = (closing: string, end: number) => {
    const at = frames.findLastIndex(({ tag }) => tag === closing);
    if (at < 0 || frames.slice(at + 1).some(({ tag }) => tag === 'table')) return;
    while (frames.length > at) {
      const frame = frames.pop() as HtmlFrame;
      const { tag, start, status, rowsWithoutStatus } = frame;
      if (tag === 'tr') endRow(frame, end);
      if (tag === 'li' && status) ranges.push({ ...status, start, end });
      // Where some rows have a sign, those without one are not solved.
      if (tag === 'table' && status)
        ranges.push(...rowsWithoutStatus.map((row) => ({ ...boxStatus('[ ]'), ...row })));
    }
  };
  const tags = /<(\/?)([a-z][a-z\d]{0,9})\b([^<>]{0,2000})>/gi;
  for (const { index, 0: whole, 1: slash, 2: name = '', 3: attributes = '' } of text.matchAll(tags)) {
    const tag = name.toLowerCase();
    if (/^(?:td|th|tr|table)$/.test(tag)) endCell(index);
    if (slash !== '' || tag === 'tr') close(tag, index);
    if (slash !== '') continue;
    if (/^(?:tr|li|table)$/.test(tag) && frames.length < deepestHtml)
      frames.push({ tag, start: index, cells: [], hasData: false, rowsWithoutStatus: [] });
    if (tag === 'td' || tag === 'th') cellStart = index + whole.length;
    if (tag === 'td') Object.assign(innermost('tr') ?? {}, { hasData: true });
    const box = boxOf(tag, attributes);
    const frame = frames.at(-1);
    if (box === undefined || !frame) continue;
    cellBox = box;
    if (frame.tag !== 'table') frame.status ??= boxStatus(box);
  }
  for (const { tag } of frames.toReversed()) close(tag, text.length);
  return ranges;
}

/* All of it. */

function rangesIn(text: string): StatusRange[] {
  if (/^\s*[[{]/.test(text) && !/^\s*\[.?\]\s/.test(text)) {
    if (!/^\s*\{[^\n]*\}\s*\n\s*\{/.test(text)) return jsonRanges(text);
    let offset = 0;
    return text.split('\n').flatMap((line) => {
      const shift = offset;
      offset += line.length + 1;
      return jsonRanges(line).map((range) => ({
        ...range,
        start: shift + range.start,
        end: shift + range.end,
      }));
    });
  }
  const ranges = /<(?:table|tr|li|input)\b/i.test(text) ? htmlRanges(text) : [];
  if (/<(?:!doctype|html)\b/i.test(text.slice(0, 2000))) return ranges;
  return [...ranges, ...propertyRanges(text), ...textRanges(text)];
}

type Piece = { offset: number; status?: LinkStatus } & ({ heading: string } | { address: string });

/** Gives each link the status of the innermost range around it, else that of a heading above it such as To do. */
export function setStatuses(text: string, pieces: readonly Piece[]): void {
  const ranges = rangesIn(text).sort((one, other) => one.start - other.start || other.end - one.end);
  const hasTodo = pieces.some(
    (piece) => 'heading' in piece && piece.heading !== '' && meaningOf(piece.heading) === false,
  );
  let below: LinkStatus | undefined;
  const open: StatusRange[] = [];
  let next = 0;
  for (const piece of pieces) {
    for (; (ranges[next]?.start ?? Infinity) <= piece.offset; next++) open.push(ranges[next] as StatusRange);
    while (open.length > 0 && (open.at(-1)?.end ?? 0) < piece.offset) open.pop();
    if ('heading' in piece) {
      const isSolved = meaningOf(piece.heading);
      below = hasTodo && isSolved !== undefined ? { text: piece.heading, isSolved } : undefined;
    } else {
      const { text, isSolved } = open.at(-1) ?? below ?? {};
      if (text !== undefined) piece.status = { text, isSolved };
    }
  }
  // An x ticks, unless other signs do: then it may also cross out.
  const statuses = pieces.flatMap(({ status = [] }) => status);
  const crosses = statuses.filter((one) => /(?:^|: )x$/i.test(one.text));
  const isTick = statuses.every((one) => one.isSolved === false || crosses.includes(one));
  if (isTick) for (const one of crosses) one.isSolved = true;
}
