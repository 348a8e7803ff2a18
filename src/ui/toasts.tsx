// Where toasts show: over the page, or inside the dialog on top, outside of which nothing is heard or touched. DESIGN-SYSTEM 9, 10.
import { useEffect, useId, useSyncExternalStore } from 'react'
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

export function Toasts() {
  const id = useId()
  useEffect(() => {
    setOutlets([...outlets, id])
    return () => setOutlets(outlets.filter((outlet) => outlet !== id))
  }, [id])
  const isTopmost = useSyncExternalStore(subscribe, () => outlets.at(-1) === id)
  const shown = useToast()
  const said = useSaid()
  const toast = isTopmost ? shown : null
  return (
    <div className="pointer-events-none fixed inset-x-4 bottom-[calc(76px+var(--safe-bottom))] z-60 grid *:col-start-1 *:row-start-1 md:inset-x-auto md:right-6 md:bottom-6">
      {/* All stand before anything is said in them, or it would go unheard. */}
      <output>{toast?.tone === 'success' && <ToastBox key={toast.id} toast={toast} />}</output>
      <div role="alert">{toast?.tone === 'error' && <ToastBox key={toast.id} toast={toast} />}</div>
      <output className="sr-only">{isTopmost && said && <span key={said.id}>{said.text}</span>}</output>
    </div>
  )
}
