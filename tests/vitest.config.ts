// The vitest runs: pure rules, real SQL on each of the two engines, stories in the second browser engine.
import { defineConfig } from 'vitest/config'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const integration = (engine: 'pglite' | 'postgres') => ({
  extends: true as const,
  test: {
    name: `integration-${engine}`,
    include: ['tests/integration/**/*.test.ts'],
    exclude: engine === 'postgres' ? ['tests/integration/process-*.test.ts'] : [],
    env: { TEST_ENGINE: engine },
    globalSetup: ['tests/support/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})

export default defineConfig({
  root,
  test: {
    // What hangs is found as well; a busy machine is no fault.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['tests/unit/**/*.test.{ts,tsx}'], environment: 'node' },
      },
      integration('pglite'),
      integration('postgres'),
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
