/** Before and after a run of the suite on PostgreSQL. */
process.env['TEST_STORE'] = 'postgres';

export const { globalSetup, globalTeardown } = await import('./setup.ts');
