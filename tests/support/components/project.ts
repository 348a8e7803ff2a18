// The vitest project of the component tests: one Chromium, kept open, with the app's own compilers; no portal, no
// build.
import { playwright } from '@vitest/browser-playwright'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { CHROMIUM_ARGS, ensureChromium } from '../runner/chromium.mjs'
import { touch } from './commands.ts'

/** The largest screen size of the tests, because a smaller page would shrink the screen in it. */
const ROOM = { width: 1440, height: 900 }

const chromium = await ensureChromium()

/** Tests that replace a module of the app; each opens a page of its own. */
const MOCKING = ['adding-slowly', 'brand', 'first-sight', 'pressed-meanwhile', 'scrolled-meanwhile'].map(
  (name) => `tests/components/deep/${name}.test.ts`,
)

/** All files except those in `leftOut`. */
export const componentsProject = (leftOut: string[]) => ({
  extends: true as const,
  plugins: [react(), tailwindcss()],
  optimizeDeps: {
    // Listed, because a dependency found during a test would reload the page.
    entries: ['src/main.tsx', 'src/**/*-worker.ts', 'tests/components/**/*.test.{ts,tsx}'],
    include: ['vitest/browser', 'react/jsx-dev-runtime', 'axe-core'],
  },
  test: {
    name: 'components',
    include: ['tests/components/**/*.test.{ts,tsx}'],
    setupFiles: ['tests/support/components/setup.ts'],
    // tier.ts reads these in the browser.
    env: { TEST_TIER: process.env['TEST_TIER'] ?? '', TEST_FILES: process.env['TEST_FILES'] ?? '' },
    // The first test of a file waits for its screens to be compiled, which takes long on a busy machine. A hanging test
    // ends with its poll.
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
        launchOptions: { args: CHROMIUM_ARGS, executablePath: chromium },
        contextOptions: { viewport: ROOM, locale: 'pt-BR', timezoneId: 'America/Sao_Paulo', hasTouch: true },
      }),
      instances: [
        // These pages stay open from file to file, because each loads the whole app.
        {
          browser: 'chromium' as const,
          name: 'components, in open pages',
          exclude: [...leftOut, ...MOCKING],
          isolate: false,
        },
        {
          browser: 'chromium' as const,
          name: 'components, in new pages',
          include: MOCKING,
          exclude: leftOut,
        },
      ],
    },
  },
})
