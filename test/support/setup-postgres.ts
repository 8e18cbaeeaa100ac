/** Before and after a run of the suite on PostgreSQL. */
export { globalSetup, globalTeardown } from './setup.ts';

process.env['TEST_STORE'] = 'postgres';
