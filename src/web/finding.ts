/** What a look at one part of the garden found, for the health page of staff and for `garden doctor`. */
export interface Finding {
  check: string;
  result: 'good' | 'warning' | 'bad';
  detail: string;
}
