// The vitest runs: pure rules, real SQL on each of the two engines, the app's screens in one open browser, stories in the
// second browser engine.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const WHOLE_PROCESSES = 'tests/integration/processes/**/*.test.ts'
/** What `npm test` leaves to the deep tier; a file that is asked for by its name runs in both. */
const DEEP_FILES = process.env['TEST_FILES'] === 'all' ? [] : ['**/deep/**']
/** Holds the sources against each other: red wherever they are changed on purpose, by `npm run test:mutations`. */
const SELF_CHECKS = ['proof-record', 'schema-files', 'schema-page', 'schema-snapshot'].map(
  (name) => `**/${name}.test.ts`,
)
const LEFT_OUT = [...DEEP_FILES, ...(process.env['TEST_MUTATED'] ? SELF_CHECKS : [])]
/** What the embedded engine does differently, or what only it has: order within a millisecond, one connection, a folder. */
const ENGINE_AWARE = [
  'db/database',
  'db/embedded-engine',
  'ops/maintenance',
  'db/schema-catalogue',
  'board/sync-board',
  'whatsapp/link-watch',
  'whatsapp/webhook-people',
].map((name) => `tests/integration/${name}.test.ts`)
/** Without a meaning on the other engine: a folder and a watchdog of its own, or several connections at once. */
const ONLY_EMBEDDED = 'tests/integration/db/embedded-engine.test.ts'
const ONLY_POSTGRES = [
  'whatsapp/inbox',
  'db/leaving-clients',
  'db/deep/move',
  'db/sync-races',
  'whatsapp/webhook-lanes',
].map((name) => `tests/integration/${name}.test.ts`)
/** Random lives and hostile requests, as many as `npm run test:deep -- load` asks for. */
const LOADS = [
  'offline/outbox-property',
  'rest/rest-property',
  'http/addresses-fuzz',
  'agents/agent-lives',
].map((name) => `tests/integration/${name}.test.ts`)

/** The part of the tests that the embedded engine runs (TEST_SCOPE): see support/runner/phases.mjs. */
const SCOPES: Record<string, { include: string[]; exclude: string[] }> = {
  files: { include: ['tests/integration/**/*.test.ts'], exclude: [...ONLY_POSTGRES, WHOLE_PROCESSES] },
  processes: { include: [WHOLE_PROCESSES], exclude: [] },
  engine: { include: ENGINE_AWARE, exclude: [] },
}

const integration = (
  name: string,
  { engine, include, exclude }: { engine: 'pglite' | 'postgres'; include: string[]; exclude: string[] },
) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: [...exclude, ...LEFT_OUT],
    env: { TEST_ENGINE: engine },
    // A database of its own is what a file needs; loading the server again for each took as long as half of the tests.
    isolate: engine === 'pglite',
    // Postgres works in processes of its own, and a test waits for it: one more keeps the processors busy.
    maxWorkers: Math.max(2, availableParallelism()) + (engine === 'postgres' ? 1 : 0),
    globalSetup: ['tests/support/runner/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})

/** Modules that keep something for as long as they are loaded: each file of tests gets them again. */
const STATEFUL = ['tests/unit/{api,app,data,live,offline}/**/*.test.{ts,tsx}']

function fail(): never {
  throw new Error(`TEST_SCOPE is none of ${Object.keys(SCOPES).join(', ')}`)
}

/** A browser and the app's compilers: a second to load, for whoever wants them. */
const isForComponents =
  !process.argv.some((word) => word.startsWith('--project')) ||
  process.argv.some((word) => /^(--project=)?components$/.test(word))
const components = isForComponents
  ? [(await import('./support/components/project.ts')).componentsProject(LEFT_OUT)]
  : []

export default defineConfig({
  root,
  test: {
    pool: 'forks',
    // The main process only waits: by itself vitest would leave it a processor of two.
    maxWorkers: Math.max(2, availableParallelism()),
    experimental: { fsModuleCache: true },
    // What no import shows: `npm test -- changed` runs all of a phase after a change of these.
    forceRerunTriggers: ['**/supabase/**', '**/tests/vitest.config.ts', '**/package-lock.json'],
    // What hangs is found as well; a busy machine is no fault.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.{ts,tsx}'],
          exclude: [...STATEFUL, ...LEFT_OUT],
          // Loading the same modules for each file again would take longer than the tests.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'unit-alone', include: STATEFUL } },
      integration('integration-pglite', {
        engine: 'pglite',
        ...(SCOPES[process.env['TEST_SCOPE'] ?? 'files'] ?? fail()),
      }),
      integration('integration-postgres', {
        engine: 'postgres',
        include: ['tests/integration/**/*.test.ts'],
        exclude: [ONLY_EMBEDDED, WHOLE_PROCESSES],
      }),
      integration('load', { engine: 'postgres', include: LOADS, exclude: [] }),
      ...components,
      {
        extends: true,
        test: {
          name: 'webkit',
          include: ['tests/webkit/**/*.test.ts'],
          testTimeout: 120_000,
          // A first start of the demonstration, and a browser's, on a busy machine.
          hookTimeout: 300_000,
          maxWorkers: 1,
        },
      },
    ],
  },
})
