// The benchmarks are loaded by Vite's loader, which imports nothing more afterwards; the browser is found all the same.
import { afterEach, expect, test, vi } from 'vitest'
import { runnerImport } from 'vite'
import { inRoot, root } from '#server/ops/cli/root.mjs'
import type { ensureChromium } from '#tests/support/runner/chromium.mjs'

afterEach(() => vi.unstubAllEnvs())

test('the browser is found after the benchmarks are loaded', async () => {
  // Any program that prints its version will do.
  vi.stubEnv('CHROMIUM_PATH', process.execPath)
  const { module } = await runnerImport<{ ensureChromium: typeof ensureChromium }>(
    inRoot('tests/support/runner/chromium.mjs'),
    { root, configFile: false },
  )
  expect(await module.ensureChromium()).toBe(process.execPath)
})
