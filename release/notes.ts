/** The notes of a release, from CHANGELOG.md. */
import { Refusal } from './programs.ts';

function sectionsOf(changelog: string): Map<string | undefined, string> {
  const sections = changelog.split(/^## /m).slice(1);
  return new Map(sections.map((section) => [/^\[?([^\]\s]+)/.exec(section)?.[1], section.replace(/^.*\n/, '').trim()]));
}

/** Whether the changelog has a section of this version, so that the version is being released. */
export function hasSection(version: string, changelog: string): boolean {
  return sectionsOf(changelog).has(version);
}

/**
 * The section of this version; before it has one, that of what is not released. The page of a release is not beside the documents,
 * so links to them become text, and it shows each line break, so an item is one line. Throws a Refusal if the section is empty.
 */
export function notesFor(version: string, changelog: string): string {
  const sections = sectionsOf(changelog);
  const text = sections.get(version) ?? sections.get('Unreleased') ?? '';
  if (text === '') throw new Refusal(`CHANGELOG.md says nothing of ${version}: write what changed.`);
  const plain = text.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1').replaceAll(/(?<=\S)\n(?!\n|- |#) */g, ' ');
  return `# Practice Garden ${version}\n\n${plain}\n`;
}
