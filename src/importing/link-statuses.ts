/**
 * Finds what a text says of its links: solved or not, by a tick, a column such as Done, a line such as `Status: Done`,
 * a member of a JSON object, or a heading such as To do. Every pattern is bounded, so that hostile text takes no longer.
 */

import { tidyLine } from '../practice/lists.ts';

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
not done,not solved,unsolved,not started,not attempted,not yet,incomplete,pending,in progress,wip,doing,attempted,tried
trying,partial,failed,skipped,backlog,revisit,notac,wa,tle,mle,re,ce,否,未,未完成,未做,待做,未解决,未通过,尝试过,进行中,未解決
未完了,未着手,進行中,いいえ,아니오,미완료,미해결,시작 전,진행 중,нет,не решено,не решена,не начато,в процессе,ложь
sin resolver,no resuelto,sin empezar,pendiente,en curso,en progreso,falso,não,não resolvido,não iniciado,pendente
em andamento,em progresso,nein,falsch,offen,ungelöst,non,faux,à faire,en cours,non résolu`);
const unsolvedVerdict =
  /^(?:wrong answer|\w{1,10} limit|runtime error|compil\w{1,10} error|presentation error)/;
/** Spreadsheets have the day of the solve in such a column. */
const day = /^\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}|^\d{1,2}[-/.]\d{1,2}[-/.]\d{4}\b/;
const signs = /[✓✔✅☑🟢✗✘❌⬜☐⬛🔲🔴]/gu;

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
  wordSet(`✅,✓,✔,☑,done,solved,completed,complete,finished,完成,已完成,解决,已解决,通过,做完,解決,完了,済
완료,해결,решено,решена,готово,сделано,выполнено,hecho,resuelto,completado,feito,resolvido,concluído,erledigt,gelöst
fait,résolu`);
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

const longestRow = 4000;
const linesOfRowAtMost = 30;
const separators = ['\t', '|', ';', ','];

function cellsOf(row: string, separator: string): string[] {
  const pattern = new RegExp(`(?:\\s*"((?:[^"]|"")*)"\\s*|([^${separator}]*))(?:[${separator}]|$)`, 'g');
  const found = [...row.matchAll(pattern)].filter(({ index }, count) => index < row.length || count === 0);
  const cells = found.map(({ 1: cell, 2: plain = '' }) => (cell?.replaceAll('""', '"') ?? plain).trim());
  return row.endsWith(separator) ? [...cells, ''] : cells;
}

/** A quoted cell may have several lines. Returns 0 where the quote is not closed. */
function linesOfRow(lines: readonly string[], at: number, separator: string): number {
  const quoted = new RegExp(`(^|[${separator}])\\s*"(?:[^"]|"")*"\\s*(?=[${separator}]|$)`, 'g');
  const open = new RegExp(`(?:^|[${separator}])\\s*"`);
  let row = '';
  for (let count = 1; count <= linesOfRowAtMost && row.length <= longestRow; count++) {
    row += `${lines[at + count - 1] ?? ''}\n`;
    if (!open.test(row.trimEnd().replaceAll(quoted, '$1'))) return count;
  }
  return 0;
}

/** Above the header of a table there can be rows with its title, with letters or with sums. */
function tableAt(line: string, before: Table | undefined): Table | undefined {
  const isHeader = !line.includes('://');
  if (before && (!isHeader || before.statusColumn >= 0)) return before;
  const tables = separators.flatMap((separator) => {
    const names = line.includes(separator) ? cellsOf(line, separator) : [];
    const ranks = names.map(rankOf);
    return names.length > 1 ? [{ separator, names, statusColumn: ranks.indexOf(Math.max(1, ...ranks)) }] : [];
  });
  const isSum = ({ names }: Table) =>
    names?.some((name, at) => rankOf(name) > 0 && /^\d/.test(names[at + 1] ?? ''));
  const found = tables.find((table) => isHeader && table.statusColumn >= 0 && !isSum(table));
  if (found) return found;
  const [widest] = tables.toSorted((one, other) => other.names.length - one.names.length);
  return before ?? (widest && { ...widest, names: isHeader ? widest.names : undefined, statusColumn: -1 });
}

/** Without a column that is known to say it, clear words count; below a name that is not known, they are asked for. */
function statusOfRow(row: string, { separator, names, statusColumn }: Table): LinkStatus | undefined {
  const cells = cellsOf(row, separator);
  // A title with commas that are not quoted makes more cells.
  const column = statusColumn + Math.max(0, cells.length - (names?.length ?? 0));
  if (statusColumn >= 0) return named(names?.[statusColumn] ?? '', cells[column] ?? '');
  const nameOf = (at: number) => (isClear(names?.[at] ?? '') ? '' : (names?.[at] ?? ''));
  const clear = cells.flatMap((cell, at) => (isClear(cell) ? { cell, name: nameOf(at) } : []));
  const status = together(
    clear.map(({ cell, name }) =>
      name ? named(name, cell) : { text: tidyLine(cell), isSolved: meaningOf(cell) },
    ),
  );
  return status && clear.some(({ name }) => name) ? { text: status.text, isSolved: undefined } : status;
}

const tick = /^(?:[\s>]{0,20}(?:[-*+•]|\d{1,5}[.)]))?\s{0,20}\\?\[([ xX✓✔/-]?)\\?\](?=\s)/;
const listItem = /^\s{0,20}(?:[-*+•]|\d{1,5}[.)])\s/;
const property = /^[\s>*-]{0,10}([\p{L}_? ]{2,30})\*{0,2}\s{0,3}::?\s{0,3}\*{0,2}([^\n]{1,60})$/u;

/** What a line says outside of a table. */
function statusOfLine(line: string): LinkStatus | undefined {
  const [, mark] = tick.exec(line) ?? [];
  const text = `[${/[xX✓✔]/.test(mark ?? '') ? 'x' : mark || ' '}]`;
  if (mark !== undefined) return { text, isSolved: meaningOf(text) };
  const [, name = '', value = ''] =
    line.length > 120 || line.includes('://') ? [] : (property.exec(line) ?? []);
  if (rankOf(name) > 0 && meaningOf(value) !== undefined) return named(name, value);
  const found = new Set(line.replaceAll(/\[[^[\]]{0,200}\]\(/g, '').match(signs));
  return together([...found].map((sign) => ({ text: sign, isSolved: meaningOf(sign) })));
}

interface Item {
  indent: number;
  hasLink: boolean;
  status: LinkStatus;
}

type StatusRange = LinkStatus & { start: number; end: number };

function* rangesIn(text: string): Generator<StatusRange> {
  const lines = text.split('\n');
  const items: Item[] = [];
  let table: Table | undefined;
  let [offset, isBelowText, unclosedTo] = [0, false, 0];
  for (let at = 0; at < lines.length; ) {
    const line = (lines[at] ?? '').slice(0, longestRow);
    const isBlank = line.trim() === '';
    const isOutside = isBlank || tick.test(line) || (table && !line.includes(table.separator));
    table = isOutside ? undefined : tableAt(line, table);
    const isQuoted = table && table.separator !== '|' && line.includes('"') && at >= unclosedTo;
    const closedAfter = table && isQuoted ? linesOfRow(lines, at, table.separator) : 1;
    // Otherwise many such lines would each be read thirty times.
    if (closedAfter === 0) unclosedTo = at + linesOfRowAtMost;
    const lineCount = Math.max(1, closedAfter);
    const row = lines.slice(at, at + lineCount).join('\n');
    const inRow = table && statusOfRow(row.slice(0, longestRow), table);
    const status = inRow ?? statusOfLine(line);
    const indent = line.search(/\S|$/);
    const isNewItem = status || items.at(-1)?.hasLink || /^\s*#/.test(line) || listItem.test(line);
    const isContinued = isBelowText && !isNewItem;
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

/* HTML and JSON. */

const signAttribute =
  /\b(?:class|href)\s{0,3}=\s{0,3}["'](?:[^"']*\s)?(checkbox-o(?:n|ff)|#(?:un)?checkedCheckboxId|(?:accepted|rejected)-problem|task-score icon[^"']*)/i;

/** Boxes of GitHub, Notion and Google Sheets, and what Codeforces and CSES show of a problem. */
function signOf(tag: string, attributes: string): string {
  const isBox = tag === 'input' && /\btype\s{0,3}=\s{0,3}["']?checkbox/i.test(attributes);
  if (isBox) return /\schecked\b/i.test(attributes) ? '✅' : '⬜';
  const [, sign] = signAttribute.exec(attributes) ?? [];
  return sign === undefined ? '' : /-on$|^#checked|^accepted|\bfull\b/i.test(sign) ? '✅' : '⬜';
}

/** Rows of tables become lines with tabs, and items of lists become lines, at the same offsets. */
function flattened(text: string): string {
  // Rows of Codeforces that were never tried have no sign.
  const rowSign = /\baccepted-problem\b/.test(text) ? '⬜' : '';
  return text
    .replaceAll('\n', ' ')
    .replaceAll(/<(\/?[a-z][a-z\d]{0,9})\b([^<>]{0,2000})>/gi, (whole, name, attributes) => {
      const tag = name.toLowerCase();
      const sign = signOf(tag, attributes) || (tag === 'tr' ? rowSign : '');
      const lineBreak = /^(?:tr|\/?li|\/[uo]l|h\d|\/table)$/.test(tag) ? '\n' : '';
      const start = tag === 'li' ? '- ' : tag === 'td' || tag === 'th' ? '\t' : tag === 'a' ? '://' : '';
      const end = tag === '/table' ? '\n' : '';
      return (
        (lineBreak + sign + start).slice(0, whole.length - end.length).padEnd(whole.length - end.length) + end
      );
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
  const members = Object.entries(value);
  const isArray = Array.isArray(value);
  const [best] = members
    .filter(
      ([name, member]) =>
        !isArray &&
        rankOf(name) > 0 &&
        (typeof member !== 'object' || member === null) &&
        !/\//.test(String(member)),
    )
    .toSorted(([one], [other]) => rankOf(other) - rankOf(one));
  const own = best ? named(best[0], String(best[1])) : status;
  for (const [, member] of members)
    addStatuses(statuses, member, isArray && typeof member === 'object' ? undefined : own, depth + 1);
}

type Piece = { offset: number; status?: LinkStatus } & ({ heading: string } | { address: string });

/** Gives each link its status in the text, else that of a heading above it such as To do. */
export function setStatuses(text: string, pieces: readonly Piece[], json: unknown): void {
  const byAddress = new Map<string, LinkStatus>();
  addStatuses(byAddress, json, undefined);
  const isPage = /<(?:!doctype|html)\b/i.test(text.slice(0, 2000));
  const html = /<(?:tr|li)\b/i.test(text) ? [...rangesIn(flattened(text))] : [];
  const ranges = json === undefined ? [...html, ...(isPage ? [] : rangesIn(text))] : [];
  ranges.sort((one, other) => one.start - other.start || other.end - one.end);
  const hasTodo = pieces.some(
    (piece) => 'heading' in piece && piece.heading && meaningOf(piece.heading) === false,
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
      const { text, isSolved } = byAddress.get(piece.address) ?? open.at(-1) ?? below ?? {};
      if (text !== undefined) piece.status = { text, isSolved };
    }
  }
  // An x ticks, unless other signs do: then it may also cross out.
  const statuses = pieces.flatMap(({ status = [] }) => status);
  const crosses = statuses.filter((one) => /: x$/i.test(one.text));
  const isTick = statuses.every((one) => one.isSolved === false || crosses.includes(one));
  if (isTick) for (const one of crosses) one.isSolved = true;
}
