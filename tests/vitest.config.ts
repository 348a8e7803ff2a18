// The vitest projects, each a phase of `npm test` or `npm run test:deep`: pure rules, SQL on each of the two engines,
// whole processes, the app's screens in one open browser, tests in WebKit and in Firefox. Projects of one run share its
// workers, so that no processor waits for the end of a phase. TEST_FILES=all adds the folders named deep.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import path from 'node:path'
import { MAJORS } from './support/runner/npm-postgres.mjs'
import Report from './support/runner/report.ts'

const root = path.resolve(import.meta.dirname, '..')
const WHOLE_PROCESSES = 'tests/integration/processes/**/*.test.ts'
/** Files that only the deep tier runs; a file requested by name runs in both. */
const DEEP_FILES = process.env['TEST_FILES'] === 'all' ? [] : ['**/deep/**']
/** Tests that compare sources with each other: `npm run test:mutations` would always fail them. */
const SELF_CHECKS = ['proof-record', 'schema-files', 'schema-page', 'schema-snapshot'].map(
  (name) => `**/${name}.test.ts`,
)
const LEFT_OUT = [...DEEP_FILES, ...(process.env['TEST_MUTATED'] ? SELF_CHECKS : [])]
/** Tests of the embedded engine's special behaviour: order within a millisecond, one connection, a folder. */
const ENGINE_AWARE = ['db/database', 'ops/maintenance', 'db/schema-catalogue', 'board/sync-board'].map(
  (name) => `tests/integration/${name}.test.ts`,
)
/** Meaningful on one engine only: a folder and a watchdog, or several connections at once. */
const ONLY_EMBEDDED = 'tests/integration/db/deep/embedded-engine.test.ts'
const ONLY_POSTGRES = [
  'whatsapp/inbox',
  'db/leaving-clients',
  'db/deep/move',
  'db/lock-order',
  'db/sync-races',
  'dashboard/report-share',
  'whatsapp/webhook-lanes',
].map((name) => `tests/integration/${name}.test.ts`)
/** Random sequences and hostile requests, in the number that `npm run test:deep -- load` sets. */
const LOADS = [
  'offline/outbox-property',
  'rest/rest-property',
  'http/addresses-fuzz',
  'agents/agent-lives',
].map((name) => `tests/integration/${name}.test.ts`)

/** Builds the portal, once for the same sources, while files of other projects run. */
const BUILD = 'tests/support/runner/build.ts'

/** Postgres and the browser work in separate processes while a test waits, so one more keeps the processors busy. */
const WORKERS = Math.max(2, availableParallelism()) + 1

const EVERYTHING_EMBEDDED = process.env['EMBEDDED_FILES'] === 'all'

type Files = { include?: string[]; exclude?: string[]; env?: Record<string, string>; setupFiles?: string[] }

const integration = (
  name: string,
  engine: 'pglite' | 'postgres',
  { include = ['tests/integration/**/*.test.ts'], exclude = [], env = {}, setupFiles = [] }: Files,
) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: [...exclude, ...LEFT_OUT],
    env: { ...env, TEST_ENGINE: engine },
    // Each file has its own database, which is isolation enough; loading the server again for each file took half of
    // the tests' time. Over a hundred embedded engines in one process would take too much memory.
    isolate: engine === 'pglite' && EVERYTHING_EMBEDDED,
    globalSetup: ['tests/support/runner/global-setup.ts'],
    setupFiles,
    testTimeout: process.env['TEST_TIER'] === 'deep' ? 300_000 : 60_000,
    hookTimeout: 120_000,
  },
})

/** Tests of modules with state: each file loads them again. */
const STATEFUL = ['tests/unit/{api,app,data,live,offline}/**/*.test.{ts,tsx}']

/** The browser and the app's compilers take a second to load, so they are imported on demand. */
const isForComponents =
  !process.argv.some((word) => word.startsWith('--project')) ||
  process.argv.some((word) => /^(--project=)?components\*?$/.test(word))
const components = isForComponents
  ? [(await import('./support/components/project.ts')).componentsProject(LEFT_OUT)]
  : []

export default defineConfig({
  root,
  test: {
    reporters: process.env['TEST_REPORT'] ? ['default', new Report()] : ['default'],
    // The runner counts the tests of all projects.
    passWithNoTests: Boolean(process.env['TEST_REPORT']),
    // A mutation needs one failure.
    bail: process.env['TEST_MUTATED'] ? 1 : 0,
    pool: 'forks',
    // The same for all projects of a run, or vitest would run one after the other.
    maxWorkers: WORKERS,
    experimental: { fsModuleCache: true },
    // Dependencies without an import: `npm test -- changed` runs a whole phase after a change of these.
    forceRerunTriggers: ['**/supabase/**', '**/tests/vitest.config.ts', '**/package-lock.json'],
    // Long, because a busy machine is no fault; a hanging test still ends.
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
      integration('embedded', 'pglite', {
        // In `npm test`, beside a native Postgres, only what this engine does in its own way.
        ...(!EVERYTHING_EMBEDDED && { include: ENGINE_AWARE }),
        exclude: [...ONLY_POSTGRES, WHOLE_PROCESSES],
      }),
      integration('processes', 'pglite', { include: [WHOLE_PROCESSES], setupFiles: [BUILD] }),
      integration('postgres', 'postgres', { exclude: [ONLY_EMBEDDED, WHOLE_PROCESSES] }),
      ...Object.keys(MAJORS).map((major) =>
        integration(`postgres-${major}`, 'postgres', {
          exclude: [ONLY_EMBEDDED, WHOLE_PROCESSES],
          env: { TEST_POSTGRES_MAJOR: major },
        }),
      ),
      integration('load', 'postgres', {
        include: LOADS,
        env: { FUZZ_RUNS: '5000', PROPERTY_RUNS: '5000' },
      }),
      ...components,
      // The same tests, in each of the other browsers.
      ...['webkit', 'firefox'].map((name) => ({
        extends: true as const,
        test: {
          name,
          env: { TEST_BROWSER: name },
          include: ['tests/other-browsers/**/*.test.ts'],
          testTimeout: 120_000,
          // For a first start of the demonstration and of a browser, on a busy machine.
          hookTimeout: 300_000,
          maxWorkers: 1,
          setupFiles: [BUILD],
        },
      })),
    ],
  },
})
