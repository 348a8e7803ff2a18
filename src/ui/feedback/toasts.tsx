// Where toasts show: on the page, or inside the topmost dialog, because nothing outside a modal dialog can be heard or
// touched.
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

/** Inside a dialog it uses a popover: the dialog would move and clip a fixed element. */
export function Toasts({ isInDialog = false }: { isInDialog?: boolean }) {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  // The popover opens after the dialog, because later popovers lie above. Browsers before 2024 have none; there it lies in the
  // dialog.
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
      {/* Live regions must exist before their text, or it is not announced. */}
      <output>{toast && toast.tone !== 'error' && <ToastBox key={toast.id} toast={toast} />}</output>
      <div role="alert">{toast?.tone === 'error' && <ToastBox key={toast.id} toast={toast} />}</div>
      <output className="sr-only">{isTopmost && said && <span key={said.id}>{said.text}</span>}</output>
    </div>
  )
}
