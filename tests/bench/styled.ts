// The number of elements that a browser restyles for an action, from its trace.
import type { Page } from '@playwright/test'
import * as v from 'valibot'

const Events = v.array(
  v.object({ name: v.string(), args: v.optional(v.object({ elementCount: v.optional(v.number()) })) }),
)

/** From before `act` until `rest` resolves. */
export async function countStyled(
  page: Page,
  { act, rest }: { act: () => Promise<unknown>; rest: () => Promise<unknown> },
): Promise<number> {
  const session = await page.context().newCDPSession(page)
  let count = 0
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, args } of v.parse(Events, value))
      if (name === 'UpdateLayoutTree') count += args?.elementCount ?? 0
  })
  const isOver = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline'] },
  })
  await act()
  await rest()
  await session.send('Tracing.end')
  await isOver
  await session.detach()
  return count
}
