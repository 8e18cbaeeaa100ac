/** The notes of a release, from CHANGELOG.md. */
import { Refusal } from './programs.ts';

/** The section of this version; before it has one, that of what is not released. Throws a Refusal if there is nothing in it. */
export function notesFor(version: string, changelog: string): string {
  const sections = new Map(
    changelog
      .split(/^## /m)
      .slice(1)
      .map((section) => [/^\[?([^\]\s]+)/.exec(section)?.[1], section.replace(/^.*\n/, '').trim()]),
  );
  const text = sections.get(version) ?? sections.get('Unreleased') ?? '';
  if (text === '') throw new Refusal(`CHANGELOG.md says nothing of ${version}: write what changed.`);
  return `# Practice Garden ${version}\n\n${text}\n`;
}
