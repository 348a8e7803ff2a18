// Stories in a real browser against the built portal in demo mode.
//
// A story's folder says when it runs: e2e/main holds the main paths, without which a release would be wrong; e2e/deep holds all
// else. Its file's name says where its people stand: `*.phone.e2e.ts` or `*.desk.e2e.ts` (support/browser/story.ts); what matters
// in both is told twice.
//   the main paths: playwright test
//   everything:     TEST_FILES=all playwright test
// Playwright's own filters come on top: `outbox`, `.desk`.
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test'
import { CHROMIUM_ARGS } from './support/runner/chromium.mjs'

const folder = process.env['TEST_FILES'] === 'all' ? '{main,deep}' : 'main'

const config: PlaywrightTestConfig = {
  testDir: 'e2e',
  testMatch: `${folder}/*.{phone,desk}.e2e.ts`,
  outputDir: '../test-results',
  globalSetup: './support/runner/e2e-setup.ts',
  forbidOnly: true,
  retries: 0,
  // Each has portals and a browser of its own: a third keeps two processors no busier.
  workers: 2,
  // Patience costs nothing where all is well, and a busy machine needs it.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  use: {
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    // A page fetches what it needs; stories of what the device keeps allow the worker, which first fetches all.
    serviceWorkers: 'block',
    launchOptions: {
      args: [...CHROMIUM_ARGS, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
      ...(process.env['CHROMIUM_PATH'] ? { executablePath: process.env['CHROMIUM_PATH'] } : {}),
    },
  },
}

export default defineConfig(config)
