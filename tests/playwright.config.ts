// Stories in a real browser against the built portal in demo mode, at phone and desktop size.
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test'
import { CHROMIUM_ARGS } from './support/chromium.mjs'

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const desk = { viewport: { width: 1440, height: 900 } }

const config: PlaywrightTestConfig = {
  testDir: 'e2e',
  testMatch: '*.e2e.ts',
  outputDir: '../test-results',
  globalSetup: './support/e2e-setup.ts',
  forbidOnly: true,
  retries: 0,
  // A story waits for the eye more than for the machine. Each worker has a portal of its own.
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    launchOptions: {
      args: CHROMIUM_ARGS,
      ...(process.env['CHROMIUM_PATH'] ? { executablePath: process.env['CHROMIUM_PATH'] } : {}),
    },
  },
  projects: [
    { name: 'telefone', use: phone },
    { name: 'mesa', use: desk },
  ],
}

export default defineConfig(config)
