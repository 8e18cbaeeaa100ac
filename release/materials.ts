/** The bill of materials: npm's CycloneDX document of all packages that run, with an identity and a time that stay the same. */
import { createHash } from 'node:crypto';
import type { Source } from './package.ts';
import { run } from './programs.ts';

/** Reads the lock in this folder, so nothing has to be installed there. */
export async function billOfMaterials({ name, version, commit, committedAt }: Source, folder: string): Promise<string> {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const bill: Bill = JSON.parse(await run('npm', args, folder));
  // With --omit=dev npm would also leave out packages that run and that tools for development need too.
  bill.components = bill.components.filter(({ properties }) => !properties.some(isOfDevelopment));
  const kept = new Set([`${name}@${version}`, ...bill.components.map((component) => component['bom-ref'])]);
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digestOf(`${name} ${version} ${commit}`)) ?? [];
  // RFC 9562 §5.8: version 8 is for identities that are made of something.
  bill.serialNumber = `urn:uuid:${a}-${b}-8${c}-8${d}-${e}`;
  bill.metadata.timestamp = committedAt.toISOString();
  // npm writes the name of the folder here.
  bill.metadata.component.name = name;
  return `${JSON.stringify(bill, null, 2)}\n`;
}

const isOfDevelopment = (property: { name: string }) => property.name === 'cdx:npm:package:development';

/** The parts of the document that change here. */
interface Bill {
  serialNumber: string;
  metadata: { timestamp: string; component: { name: string } };
  components: { 'bom-ref': string; properties: { name: string }[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
