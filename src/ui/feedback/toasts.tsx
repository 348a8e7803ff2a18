// Shows toasts on the page or in the topmost dialog, because outside a modal dialog nothing can be heard or touched.
import { useEffect, useId, useRef, useSyncExternalStore } from 'react'
import { classNames } from '../primitives/class-names.ts'
import { ToastBox } from './toast-box.tsx'
import { useSaid, useToast } from './toast.ts'

/** The ids of the mounted outlets for toasts; the last one is topmost and shows them. */
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

/** In a dialog, the toast is a popover, because the dialog would move and clip a fixed element. */
export function Toasts({ isInDialog = false }: { isInDialog?: boolean }) {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  // Opens after the dialog, because later popovers lie above earlier ones. Browsers before 2024 have no popovers; there
  // the toast lies within the dialog.
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
      {/* Screen readers announce a live region only if it existed before its text. */}
      <output>{toast && toast.tone !== 'error' && <ToastBox key={toast.id} toast={toast} />}</output>
      <div role="alert">{toast?.tone === 'error' && <ToastBox key={toast.id} toast={toast} />}</div>
      <output className="sr-only">{isTopmost && said && <span key={said.id}>{said.text}</span>}</output>
    </div>
  )
}
