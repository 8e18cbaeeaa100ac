/** A garden whose rows are the examples of the OpenAPI document. */
import type { TestContext } from 'node:test';
import { exampleOf } from '../../src/contract/openapi.ts';
import { operations } from '../../src/contract/operations.ts';
import { Plant } from '../../src/contract/plants.ts';
import { importRows, temporaryDatabase, tokensFor } from './garden.ts';

export async function gardenOfExamples(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  const record = exampleOf(operations.getRecord.row);
  await importRows(databaseUrl, 'records', [record]);
  await importRows(databaseUrl, 'problems', [exampleOf(operations.getProblem.row)]);
  await importRows(databaseUrl, 'bookmarks', [exampleOf(operations.getBookmark.row)]);
  await importRows(databaseUrl, 'statuses', [exampleOf(operations.getProblemStatus.row)]);
  await importRows(databaseUrl, 'plants', [exampleOf(Plant)]);
  const username = String(record['username']);
  const [token = ''] = await tokensFor(databaseUrl, [username]);
  return { databaseUrl, username, token };
}
