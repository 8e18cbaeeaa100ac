/** Invented problems of Codeforces, numbered from 1: `Pond 1` with the key 1A, and so on. */

/** No interface, because rows to import may have any fields. */
type Pond = { id: number; title: string; source: 'codeforces'; source_key: string };

export function ponds<More extends object = object>(
  count: number,
  more: (place: number) => More = () => ({}) as More,
): (Pond & More)[] {
  return Array.from({ length: count }, (_, place) => {
    const id = place + 1;
    return { id, title: `Pond ${id}`, source: 'codeforces', source_key: `${id}A`, ...more(place) };
  });
}
