// A swipe on the phone's board: the times until the card leaves, and until the counts change.
import type { Page } from '@playwright/test'
import { touchOn, gripOf } from '#tests/support/browser/columns.ts'
import { comeToRestIn, countFrames, type Frames } from './frames.ts'

/** In ms, up to a painted frame. */
export type Swipe = {
  /** From the release, which stores the move, to the card farther than the pointer left it. */
  leaves: number
  /** From the end of the card's way to both counts. */
  counts: number
  /** From the release to both counts; by design it includes the card's way out of 120 to 220 ms. */
  whole: number
}

/** The topmost card, to the next stage. */
export async function swipe(page: Page): Promise<Swipe> {
  const first = page.locator('[role=tabpanel] article[aria-posinset="1"]')
  const leadId = await first.getAttribute('data-lead')
  const swiped = page.locator(`[role=tabpanel] article[data-lead="${leadId}"]`)
  const { x, y } = await gripOf(swiped)
  const pointer = await touchOn(page)
  await pointer.down({ x, y })
  for (let moved = 20; moved <= 200; moved += 20) await pointer.move({ x: x + moved, y })
  const seen = await swiped.evaluateHandle(watch)
  await pointer.up()
  const times = await seen.evaluate(({ times: all }) => all)
  await swiped.waitFor({ state: 'detached' })
  await comeToRestIn(page, '[role=tabpanel], [role=tablist]')
  return times
}

/** The topmost card, aside and back in one touch: nothing is moved. */
export async function dragByTouch(page: Page): Promise<Frames> {
  const { x, y } = await gripOf(page.locator('[role=tabpanel] article[aria-posinset="1"]'))
  const touch = await touchOn(page)
  await touch.down({ x, y })
  const stop = await countFrames(page)
  for (let step = 1; step <= 180; step++)
    await touch.move({ x: x + Math.round(160 * Math.sin((Math.PI * step) / 180)), y })
  const frames = await stop()
  await touch.up()
  await comeToRestIn(page, '[role=tabpanel], [role=tablist]')
  return frames
}

/** Runs in the page, before the pointer is lifted. */
function watch(card: HTMLElement | SVGElement) {
  const rail = document.querySelector('[role=tablist]')
  if (!rail) throw new Error('no rail')
  const placeOf = () => new DOMMatrix(card.style.transform).m41
  const countsNow = () =>
    Array.from(rail.querySelectorAll('[role=tab]'), ({ textContent }) => textContent).slice(0, 2)
  const { add } = IDBObjectStore.prototype
  let isWritten = false
  IDBObjectStore.prototype.add = function (...entry) {
    isWritten ||= this.name === 'outbox'
    return add.apply(this, entry)
  }
  // React renders before a frame, gestures move elements within it: each is read when it can no longer change.
  const whenPainted = (isSeen: () => boolean, isDrawnBefore: boolean) =>
    new Promise<number>((resolve) => {
      const check = () =>
        requestAnimationFrame(() => {
          const wasSeen = isSeen()
          setTimeout(() => ((isDrawnBefore ? wasSeen : isSeen()) ? resolve(performance.now()) : check()))
        })
      check()
    })

  const times = new Promise<Swipe>((resolve) => {
    const lifted = async ({ timeStamp: liftedAt }: Event) => {
      const [letGoAt, before] = [placeOf(), countsNow()]
      let movedAt = NaN
      const moving = new MutationObserver(() => (movedAt = performance.now()))
      moving.observe(card, { attributes: true, attributeFilter: ['style'] })
      const [leavesAt, countsAt] = await Promise.all([
        whenPainted(() => isWritten && placeOf() > letGoAt, false),
        whenPainted(() => countsNow().every((count, at) => count !== before[at]), true),
      ])
      IDBObjectStore.prototype.add = add
      resolve({ leaves: leavesAt - liftedAt, counts: countsAt - movedAt, whole: countsAt - liftedAt })
    }
    // After the board has handled the pointer's last position.
    addEventListener('pointerup', (event) => void lifted(event), { once: true })
  })
  return { times }
}
