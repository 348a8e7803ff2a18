// The run of the component tests: one Chromium, kept open, with the app's own compilers; no portal, no build.
import { playwright } from '@vitest/browser-playwright'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { CHROMIUM_ARGS, findChromium } from '../runner/chromium.mjs'
import { touch } from './commands.ts'

/** The largest of the sizes that the tests give the screen: a page smaller than the screen in it would shrink that. */
const ROOM = { width: 1440, height: 900 }

const chromium = await findChromium()

/** All of its files but those `leftOut`. */
export const componentsProject = (leftOut: string[]) => ({
  extends: true as const,
  plugins: [react(), tailwindcss()],
  optimizeDeps: {
    // Found while a test runs, a package would load the page again under it.
    entries: ['src/main.tsx', 'src/**/*-worker.ts', 'tests/components/**/*.test.{ts,tsx}'],
    include: ['vitest/browser', 'react/jsx-dev-runtime', 'axe-core'],
  },
  test: {
    name: 'components',
    include: ['tests/components/**/*.test.{ts,tsx}'],
    exclude: leftOut,
    setupFiles: ['tests/support/components/setup.ts'],
    maxWorkers: 4,
    // The first test of a file waits for its screens to be compiled, on a busy machine for longer than a test may take
    // otherwise. What hangs is found by the poll that waits for it.
    expect: { poll: { interval: 16, timeout: 60_000 } },
    testTimeout: 120_000,
    browser: {
      enabled: true,
      headless: true,
      ui: false,
      screenshotFailures: false,
      viewport: ROOM,
      commands: { touch },
      provider: playwright({
        launchOptions: { args: CHROMIUM_ARGS, ...(chromium !== null && { executablePath: chromium }) },
        contextOptions: { viewport: ROOM, locale: 'pt-BR', timezoneId: 'America/Sao_Paulo', hasTouch: true },
      }),
      instances: [{ browser: 'chromium' as const }],
    },
  },
})
