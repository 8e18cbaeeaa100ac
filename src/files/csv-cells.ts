/** How a value is quoted as a cell of CSV, and the text of a cell that was read. */

/**
 * One cell (RFC 4180 §2): null is empty, an empty text is `""`. A text that a spreadsheet would take for a formula gets
 * a leading apostrophe, which `textOfCell` removes; so does a text with a real leading apostrophe.
 */
export function csvCell(value: bigint | string | null): string {
  if (value === null) return '';
  if (typeof value === 'bigint') return String(value);
  const safe = /^[=+\-@\t\r']/.test(value) ? `'${value}` : value;
  return safe === '' || /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell that was read, without its quotes. */
export function textOfCell(cell: string): string {
  return /^'[=+\-@\t\r']/.test(cell) ? cell.slice(1) : cell;
}
