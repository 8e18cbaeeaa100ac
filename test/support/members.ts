/** Members of a garden under test. */
import { memberWithPassword } from './forms.ts';
import { withStore } from './garden.ts';

export async function membersNamed<Name extends string>(
  databaseUrl: string,
  ...names: readonly Name[]
): Promise<Record<Name, bigint>> {
  const ids = {} as Record<Name, bigint>;
  await withStore(databaseUrl, async () => {
    for (const name of names) ids[name] = await memberWithPassword(databaseUrl, name);
  });
  return ids;
}
