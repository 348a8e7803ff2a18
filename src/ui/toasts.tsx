// Where toasts show: over the page, or inside the dialog on top, outside of which nothing is heard or touched. DESIGN-SYSTEM 9, 10.
import { useEffect, useId, useState, useSyncExternalStore } from 'react'
import { classNames } from './class-names.ts'
import { dismissToast, type Toast, type ToastAction, useToast } from './toast.ts'

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
  const toast = isTopmost ? shown : null
  return (
    <div className="pointer-events-none fixed inset-x-4 bottom-[calc(76px+var(--safe-bottom))] z-60 flex justify-center md:inset-x-auto md:right-6 md:bottom-6">
      {/* Both stand before anything is said in them, or it would go unheard. */}
      <output>{toast?.tone === 'success' && <Shown key={toast.text} toast={toast} />}</output>
      <div role="alert">{toast?.tone === 'error' && <Shown key={toast.text} toast={toast} />}</div>
    </div>
  )
}

/** Spec 8: green or red; what can be undone is neither yet. */
const TONE = {
  success: 'bg-success text-on-success',
  error: 'bg-danger text-on-danger',
  undoable: 'bg-banner text-on-banner',
}

function Shown({ toast }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false)
  const isHidden = useSyncExternalStore(watchVisibility, () => document.hidden)
  useEffect(() => {
    if (isHeld || isHidden) return undefined
    const timer = setTimeout(dismissToast, toast.durationMs)
    return () => clearTimeout(timer)
  }, [toast, isHeld, isHidden])
  const hold = () => setHeld(true)
  const letGo = () => setHeld(false)
  return (
    <div
      onPointerEnter={hold}
      onPointerLeave={letGo}
      onFocus={hold}
      onBlur={letGo}
      className={classNames(
        'pointer-events-auto flex min-h-13 max-w-112 animate-rise items-center gap-3 rounded-lg py-1.5 pr-1.5 pl-4 text-15 font-medium shadow-3',
        TONE[toast.action ? 'undoable' : toast.tone],
      )}
    >
      <span className="min-w-0 grow py-1.5 pr-2.5 leading-snug wrap-anywhere">{toast.text}</span>
      {toast.action && <ActionButton action={toast.action} />}
    </div>
  )
}

function ActionButton({ action }: { action: ToastAction }) {
  const run = () => {
    dismissToast()
    action.run()
  }
  return (
    <button
      type="button"
      onClick={run}
      className="min-h-11 shrink-0 rounded-md px-3 font-semibold text-banner-accent"
    >
      {action.label}
    </button>
  )
}

function watchVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}
