/** Invented problems of Codeforces, numbered from 1: `Pond 1` with the key 1A, and so on. */

/** A type and no interface, because rows to import are of any fields. */
type Pond = { id: number; title: string; source: 'codeforces'; source_key: string };

/** So many of them, each with more fields by its place from 0. */
export function ponds<More extends object = object>(
  count: number,
  more: (place: number) => More = () => ({}) as More,
): (Pond & More)[] {
  return Array.from({ length: count }, (_, place) => {
    const id = place + 1;
    return { id, title: `Pond ${id}`, source: 'codeforces', source_key: `${id}A`, ...more(place) };
  });
}
