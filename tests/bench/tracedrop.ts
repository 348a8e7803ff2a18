import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { serveBoard } from '#tests/support/browser/big-board.ts'
import { CHROMIUM_ARGS, ensureChromium } from '#tests/support/runner/chromium.mjs'
import { carry, column, middleOf, waitForDragging } from '#tests/support/browser/columns.ts'
import { startPortal } from '#tests/support/portal.ts'
import { enterAsBroker } from '#tests/support/browser/story.ts'
import { comeToRest } from './frames.ts'

const executablePath = await ensureChromium()
const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-bench-'))
const portal = await startPortal(dataDir, { DEMO: '1' })
const browser = await chromium.launch({ args: CHROMIUM_ARGS, executablePath })
const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block', baseURL: portal.origin })
const page = await context.newPage()
const session = await context.newCDPSession(page)
await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
await serveBoard(page, 2000)
await enterAsBroker(page)
await page.getByRole('article').first().waitFor()
await waitForDragging(page)
await comeToRest(page)
const card = () => column(page, 'Conversa').getByRole('article').first()
for (let i = 0; i < 2; i++) {
  await carry(page, card(), await middleOf(column(page, 'Negociação')))
  await page.mouse.up()
  await comeToRest(page)
}
await carry(page, card(), await middleOf(column(page, 'Negociação')))
await page.waitForTimeout(1500)
const events: object[] = []
session.on('Tracing.dataCollected', ({ value }) => events.push(...value))
const done = new Promise((r) => session.once('Tracing.tracingComplete', r))
await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'disabled-by-default-devtools.timeline.invalidationTracking', 'blink.user_timing', 'disabled-by-default-blink.debug', 'disabled-by-default-blink.debug.layout','loading'] } } as never)
await page.evaluate(() => performance.mark('before-drop'))
await page.mouse.up()
await page.waitForTimeout(3000)
await session.send('Tracing.end')
await done
await writeFile('/tmp/drop-trace.json', JSON.stringify(events))
await browser.close()
await portal.process.kill('SIGTERM')
process.exit(0)
