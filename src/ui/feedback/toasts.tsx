// Where toasts show: over the page, or clear of the dialog on top, in it all the same, outside of which nothing is heard or touched.
import { useEffect, useId, useRef, useSyncExternalStore } from 'react'
import { classNames } from '../primitives/class-names.ts'
import { ToastBox } from './toast-box.tsx'
import { useSaid, useToast } from './toast.ts'

/** The outlets in the page, the topmost last. */
let outlets: readonly string[] = []
const listeners = new Set<() => void>()

function setOutlets(next: readonly string[]) {
  outlets = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const OVER_PAGE = 'inset-x-4 bottom-[calc(76px+var(--safe-bottom))] md:inset-x-auto md:right-6 md:bottom-6'

/** Those of a dialog stand clear of it, by a popover: it would move and clip what is only fixed in it. */
export function Toasts({ isInDialog = false }: { isInDialog?: boolean }) {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  // Once the dialog stands, for what comes later lies over it. Browsers of before 2024 know no popovers: fixed in it there.
  useEffect(() => {
    const box = ref.current
    if (!isInDialog || !box || !('popover' in HTMLElement.prototype)) return undefined
    box.showPopover()
    return () => box.hidePopover()
  }, [isInDialog])
  useEffect(() => {
    setOutlets([...outlets, id])
    return () => setOutlets(outlets.filter((outlet) => outlet !== id))
  }, [id])
  const isTopmost = useSyncExternalStore(subscribe, () => outlets.at(-1) === id)
  const shown = useToast()
  const said = useSaid()
  const toast = isTopmost ? shown : null
  return (
    <div
      ref={ref}
      popover={isInDialog ? 'manual' : undefined}
      className={classNames(
        'pointer-events-none fixed z-60 grid *:col-start-1 *:row-start-1',
        isInDialog ? 'dialog-toasts' : OVER_PAGE,
      )}
    >
      {/* All stand before anything is said in them, or it would go unheard. */}
      <output>{toast && toast.tone !== 'error' && <ToastBox key={toast.id} toast={toast} />}</output>
      <div role="alert">{toast?.tone === 'error' && <ToastBox key={toast.id} toast={toast} />}</div>
      <output className="sr-only">{isTopmost && said && <span key={said.id}>{said.text}</span>}</output>
    </div>
  )
}
