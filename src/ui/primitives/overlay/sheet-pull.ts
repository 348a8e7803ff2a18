// Pulls a sheet down with a pointer: by its header, or by its body when that is scrolled to the top.
import { WIDE } from '#ui/media.ts'
import { type Sample, velocityOf } from '#ui/motion/velocity.ts'

/** Closes beyond this distance in px, or this speed in px/ms. */
const CLOSE_PX = 96
const CLOSE_SPEED = 0.6
const SLOP = 8
/** The fraction of the movement it follows while it has unsaved input. */
const UNWILLING = 0.3
/** If the sheet is still open after this time, it moves back up. */
const CLOSED_AFTER_MS = 500

/** Elements that use downward movement themselves. */
const OTHERS = 'input, textarea, select, [data-own-touch]'

type Pull = {
  startX: number
  startY: number
  /** null: not known yet. */
  isPull: boolean | null
  samples: Sample[]
}

type PullHost = { hasUnsaved: () => boolean; onClose: () => void }

export function followPulls(sheet: HTMLElement, { hasUnsaved, onClose }: PullHost): () => void {
  let pull: Pull | null = null
  const place = (px: number) => sheet.style.setProperty('--pulled', `${px}px`)
  const letGo = () => {
    pull = null
    delete sheet.dataset['pulled']
    place(0)
  }

  const onStart = ({ touches, target }: TouchEvent) => {
    const [touch] = touches
    // A sheet that is open inside this one handles its own pulls.
    const isHere = target instanceof Element && target.closest('dialog') === sheet
    const isOther = !isHere || target.closest(OTHERS) !== null
    if (pull) letGo()
    if (!touch || touches.length > 1 || isOther || matchMedia(WIDE).matches) return
    pull = { startX: touch.clientX, startY: touch.clientY, isPull: null, samples: [] }
  }
  const onMove = (event: TouchEvent) => {
    const [touch] = event.touches
    if (!pull || !touch || !(event.target instanceof Element)) return
    const dy = touch.clientY - pull.startY
    pull.samples.push({ at: touch.clientY, timeMs: event.timeStamp })
    if (pull.isPull === null) {
      const dx = touch.clientX - pull.startX
      if (Math.hypot(dx, dy) < SLOP) return
      pull.isPull = dy > Math.abs(dx) && isAtTop(event.target, sheet)
      if (pull.isPull) sheet.dataset['pulled'] = ''
    }
    if (!pull.isPull) return
    if (event.cancelable) event.preventDefault()
    place(Math.max(0, dy - SLOP) * (hasUnsaved() ? UNWILLING : 1))
  }
  const onEnd = ({ timeStamp, type }: TouchEvent) => {
    const way = (pull?.samples.at(-1)?.at ?? 0) - (pull?.startY ?? 0) - SLOP
    const isMeant = way > CLOSE_PX || velocityOf(pull?.samples ?? [], timeStamp) > CLOSE_SPEED
    if (!pull?.isPull || !isMeant || type === 'touchcancel') return letGo()
    // While the close is being confirmed the sheet moves back.
    if (hasUnsaved()) letGo()
    else setTimeout(letGo, CLOSED_AFTER_MS)
    delete sheet.dataset['pulled']
    pull = null
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
