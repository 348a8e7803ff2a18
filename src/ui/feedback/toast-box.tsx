// One toast: text, action and a line for the remaining time. It stays while touched or focused; a swipe down dismisses
// it.
import { Check, CircleAlert } from 'lucide-react'
import { type PointerEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { classNames } from '../primitives/class-names.ts'
import { Icon } from '../primitives/icon.tsx'
import { dismissToast, type Toast } from './toast.ts'

/** Releasing a toast that was pulled down further than this, in px, dismisses it. */
const DISMISS_PX = 24

const TONE = {
  success: 'bg-success text-on-success',
  info: 'bg-banner text-on-banner',
  error: 'bg-danger text-on-danger',
}

export function ToastBox({ toast }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false)
  const isHidden = useSyncExternalStore(watchVisibility, () => document.hidden)
  const isPaused = isHeld || isHidden
  useCountdown(toast.durationMs, isPaused)
  const pull = usePullDown()
  const hold = () => setHeld(true)
  const letGo = () => setHeld(false)
  return (
    <div
      {...pull}
      data-own-touch
      onPointerEnter={hold}
      onPointerLeave={letGo}
      onFocus={hold}
      onBlur={letGo}
      className={classNames(
        'pointer-events-auto relative mx-auto flex min-h-13 max-w-112 animate-rise touch-none items-center gap-3 overflow-hidden rounded-lg py-1.5 pr-1.5 pl-4 text-15 font-medium shadow-3',
        TONE[toast.tone],
      )}
    >
      <Icon of={isDone(toast) ? Check : CircleAlert} size={18} />
      <Words {...toast} />
      <span className={classNames('contents', toast.tone === 'info' && 'text-banner-accent')}>
        {toast.action && <ActionButton {...toast.action} />}
        {toast.action && (
          <span
            aria-hidden
            className="absolute inset-x-0 bottom-0 h-0.5 origin-left animate-run-down bg-current"
            style={{
              animationDuration: `${toast.durationMs}ms`,
              animationPlayState: isPaused ? 'paused' : 'running',
            }}
          />
        )}
      </span>
    </div>
  )
}

/** True for toasts that report something done: a success, or an info that can be undone. */
const isDone = ({ tone, action }: Toast) => tone === 'success' || (tone === 'info' && action)

function Words({ text, strong = '', spoken }: Toast) {
  const isSplit = strong !== '' && text.endsWith(strong)
  return (
    <span className="min-w-0 grow py-1.5 pr-2.5 leading-snug wrap-anywhere whitespace-pre-line">
      <span aria-hidden={spoken !== undefined || undefined}>
        {isSplit ? text.slice(0, -strong.length) : text}
        {isSplit && <strong className="font-bold">{strong}</strong>}
      </span>
      {spoken !== undefined && <span className="sr-only">{spoken}</span>}
    </span>
  )
}

function ActionButton({ label, run }: NonNullable<Toast['action']>) {
  const press = () => {
    dismissToast()
    run()
  }
  return (
    <button type="button" onClick={press} className="min-h-11 shrink-0 rounded-md px-3 font-semibold">
      {label}
    </button>
  )
}

/** Dismisses the toast after its duration. Time while it is paused does not count. */
function useCountdown(durationMs: number, isPaused: boolean) {
  const left = useRef(durationMs)
  useEffect(() => {
    if (isPaused) return undefined
    const startedAtMs = performance.now()
    const timer = setTimeout(dismissToast, left.current)
    return () => {
      clearTimeout(timer)
      left.current -= performance.now() - startedAtMs
    }
  }, [isPaused])
}

/** Lets the toast follow the pointer down, and dismisses it past the threshold. */
function usePullDown() {
  const startY = useRef<number>(undefined)
  const pulled = (event: PointerEvent) => Math.max(0, event.clientY - (startY.current ?? event.clientY))
  const place = ({ currentTarget }: PointerEvent<HTMLElement>, px: number) => {
    currentTarget.style.translate = px > 0 ? `0 ${px}px` : ''
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      startY.current = event.clientY
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => place(event, pulled(event)),
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (pulled(event) > DISMISS_PX) dismissToast()
      else place(event, 0)
      startY.current = undefined
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>) => {
      place(event, 0)
      startY.current = undefined
    },
  }
}

function watchVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}
