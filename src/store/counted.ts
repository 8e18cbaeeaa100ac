/** A number with its noun, for sentences that are no words of a page: of the command line, the log, messages and reports. */

/** Such as "1 row" and "1,200 rows". */
export function counted(count: number | bigint, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${Number(count) === 1 ? one : many}`;
}
