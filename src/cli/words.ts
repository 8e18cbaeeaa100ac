/** garden words: checks a file of messages for translators. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { badFile } from '../errors.ts';
import { english } from '../words/catalogue.ts';
import { faultsOfMessages, missingFault } from '../words/checking.ts';
import { commandGroup, plainCommand } from './command.ts';
import { exitCodes, print, printJson } from './terminal.ts';

const check = plainCommand('check', 'Check a translation: missing messages, values, tags and plurals', [
  'garden words check src/words/pt-BR.json',
  'garden words check drafts/it.json --json',
])
  .argument('<file>', 'A JSON file whose name is the language, such as it.json')
  .option('--json', 'Print the result as JSON')
  .action(async (path: string, { json }: { json?: boolean }) => {
    const tag = basename(path, '.json');
    if (!isTag(tag))
      throw badFile(`${path} is not named after a language; name it as in it.json or zh-TW.json (BCP 47).`);
    const faults = faultsOfMessages(tag, await messagesIn(path));
    const messages = Object.keys(english.messages).length;
    if (json) printJson({ language: tag, messages, faults });
    else {
      for (const { key, fault } of faults) print(`${key}: ${fault}`);
      const missing = faults.filter(({ fault }) => fault === missingFault).length;
      print(`${tag}: ${messages - missing} of ${messages} messages, ${faults.length} faults`);
    }
    if (faults.length > 0) process.exitCode = exitCodes.failed;
  });

function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

async function messagesIn(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw badFile(`${path} cannot be read (${error.code}); check the path.`, error);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badFile(`${path} is not JSON (${(error as Error).message}); mend it there.`, error);
  }
}

export const command = commandGroup('words', 'Check translations of the pages', [check]);
