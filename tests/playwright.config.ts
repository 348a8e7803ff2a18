// Stories in a real browser against the built portal in demo mode.
//
// A story's folder says when it runs: e2e/main holds the main paths, without which a release would be wrong; e2e/deep holds all
// else. Its file's name says where its people stand: `*.phone.e2e.ts` or `*.desk.e2e.ts`; what matters in both is told twice.
//   the main paths: playwright test
//   everything:     TEST_FILES=all playwright test
// Playwright's own filters come on top: `outbox`, `--project=telefone`.
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test'
import { CHROMIUM_ARGS } from './support/runner/chromium.mjs'

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const desk = { viewport: { width: 1440, height: 900 } }

const folder = process.env['TEST_FILES'] === 'all' ? '{main,deep}' : 'main'

const config: PlaywrightTestConfig = {
  testDir: 'e2e',
  outputDir: '../test-results',
  globalSetup: './support/runner/e2e-setup.ts',
  forbidOnly: true,
  retries: 0,
  // A story waits for the eye more than for the machine: one more than the processors of a small one. Each has a portal of its own.
  workers: 3,
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
  projects: [
    { name: 'telefone', use: phone, testMatch: `${folder}/*.phone.e2e.ts` },
    { name: 'mesa', use: desk, testMatch: `${folder}/*.desk.e2e.ts` },
  ],
}

export default defineConfig(config)
