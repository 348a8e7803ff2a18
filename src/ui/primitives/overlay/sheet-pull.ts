// Lets a finger pull a sheet down, by its header, or by its body if that is scrolled to the top. It listens to touch
// events, because only they can stop the browser from scrolling.
import { WIDE } from '#ui/media.ts'
import { OneTouch } from '#ui/motion/one-touch.ts'
import { type Sample, velocityOf } from '#ui/motion/velocity.ts'

/** Releasing closes the sheet beyond this distance in px, or above this speed in px per ms. */
const CLOSE_PX = 96
const CLOSE_SPEED = 0.6
const SLOP = 8
/** With unsaved input the sheet follows the finger only by this fraction. */
const UNWILLING = 0.3
/** The page has closed the sheet by then; a sheet that is still open slides back up. */
const CLOSED_AFTER_MS = 500

/** Pulls on these elements do not move the sheet, because they use the movement themselves. */
const OTHERS = 'input, textarea, select, [data-own-touch]'

type PullHost = { hasUnsaved: () => boolean; onClose: () => void }

export function followPulls(sheet: HTMLElement, { hasUnsaved, onClose }: PullHost): () => void {
  const place = (px: number) => sheet.style.setProperty('--pulled', `${px}px`)
  let target: Element = sheet
  let samples: Sample[] = []
  const pull = new OneTouch(({ dx, dy }) =>
    Math.hypot(dx, dy) < SLOP ? null : dy > Math.abs(dx) && isAtTop(target, sheet),
  )
  const letGo = () => {
    delete sheet.dataset['pulled']
    place(0)
  }

  const onStart = (event: TouchEvent) => {
    const [touch] = event.touches
    // A second finger ends the pull.
    pull.end(event)
    if (event.touches.length > 1) letGo()
    // A sheet that is open inside this one handles its own pulls.
    const isHere = event.target instanceof Element && event.target.closest('dialog') === sheet
    const isOther = !isHere || event.target.closest(OTHERS) !== null
    if (!touch || event.touches.length > 1 || isOther || matchMedia(WIDE).matches) return
    target = event.target
    samples = []
    pull.press(touch)
  }
  const onMove = (event: TouchEvent) => {
    const [touch] = event.touches
    if (!touch) return
    samples.push({ at: touch.clientY, timeMs: event.timeStamp })
    const way = pull.move(touch)
    if (!way) return
    sheet.dataset['pulled'] = ''
    if (event.cancelable) event.preventDefault()
    place(Math.max(0, way.dy - SLOP) * (hasUnsaved() ? UNWILLING : 1))
  }
  const onEnd = (event: TouchEvent) => {
    const way = pull.end(event)
    const isFast = velocityOf(samples, event.timeStamp) > CLOSE_SPEED
    if (!way || (way.dy - SLOP <= CLOSE_PX && !isFast)) return letGo()
    // The caller asks for confirmation, so the sheet slides back meanwhile.
    if (hasUnsaved()) letGo()
    else setTimeout(letGo, CLOSED_AFTER_MS)
    delete sheet.dataset['pulled']
    onClose()
  }
  place(0)
  const listening = new AbortController()
  const { signal } = listening
  sheet.addEventListener('touchstart', onStart, { passive: true, signal })
  sheet.addEventListener('touchmove', onMove, { passive: false, signal })
  sheet.addEventListener('touchend', onEnd, { passive: true, signal })
  sheet.addEventListener('touchcancel', onEnd, { passive: true, signal })
  return () => listening.abort()
}

function isAtTop(target: Element, sheet: HTMLElement): boolean {
  for (let element: Element | null = target; element; element = element.parentElement) {
    if (element.scrollTop > 0) return false
    if (element === sheet) return true
  }
  return false
}
