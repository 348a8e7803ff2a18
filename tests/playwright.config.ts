// Browser tests against the built portal in demo mode. A test's folder says when it runs: e2e/main holds the main
// paths, without which a release would be broken; e2e/deep holds the rest. The file name says the device:
// `*.phone.e2e.ts` or `*.desk.e2e.ts` (support/browser/story.ts); behaviour that matters on both is tested twice. Main
// paths: `playwright test`; everything: `TEST_FILES=all playwright test`. Playwright's own filters apply as well:
// `outbox`, `.desk`.
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test'
import { CHROMIUM_ARGS, ensureChromium } from './support/runner/chromium.mjs'

// The workers inherit it.
process.env['CHROMIUM_PATH'] ??= await ensureChromium()

const folder = process.env['TEST_FILES'] === 'all' ? '{main,deep}' : 'main'

const config: PlaywrightTestConfig = {
  testDir: 'e2e',
  testMatch: `${folder}/*.{phone,desk}.e2e.ts`,
  outputDir: '../test-results',
  globalSetup: './support/runner/e2e-setup.ts',
  reporter: process.env['TEST_REPORT'] ? [['list'], ['./support/runner/report.ts']] : 'list',
  forbidOnly: true,
  // A mutation needs one failure.
  maxFailures: process.env['TEST_MUTATED'] ? 1 : 0,
  retries: 0,
  // Each worker has its own portals and browser; a third would only share the two processors.
  workers: 2,
  // Long limits cost nothing in a good run, and a busy machine needs them.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  use: {
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    // Service workers are off, because a new one first loads all files; tests of offline behaviour allow them.
    serviceWorkers: 'block',
    launchOptions: {
      args: [...CHROMIUM_ARGS, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
      executablePath: process.env['CHROMIUM_PATH'],
    },
  },
}

export default defineConfig(config)
