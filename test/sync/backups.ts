/** A staff member's browser at the page of backups, with the folder where they are made. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { memberWithPassword } from '../support/forms.ts';
import { temporaryDatabase, temporaryFolder } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';

export async function backups(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  const folder = join(await temporaryFolder(t), 'backups');
  await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  const { url, stderr } = await serveHere(t, { databaseUrl, env: { BACKUP_DIR: folder } });
  const staff = await browserOf(url, 'root');
  const open = () => staff.open('/authentication/staff/backups/');
  const make = () => staff.submit({ name: 'make' });
  const files = () => readdir(folder).catch(() => []);
  const count = async () => (await files()).filter((name) => name.endsWith('.gz')).length;
  await open();
  return { databaseUrl, folder, stderr, staff, open, make, files, count };
}
