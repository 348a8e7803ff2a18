// Whether the person is in the middle of something: what is not asked for waits for a quiet moment.
import { useEffect, useState, useSyncExternalStore } from 'react'
import { afterPaint } from '#data/after-paint.ts'

const POLL_MS = 500
/** Quiet at so many looks in a row: nobody minds a word. */
const QUIET_POLLS = 3

const TYPING = 'textarea, [contenteditable], input:not([type=radio], [type=checkbox], [type=button])'

let marks = 0
let isPressed = false
let quietPolls = 0
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()
const waiting: (() => void)[] = []

function markBusy(): () => void {
  marks++
  poll()
  return () => {
    marks--
    if (marks > 0) return
    for (const goOn of waiting.splice(0)) goOn()
  }
}

/** A screen that never comes holds nothing else up for longer. */
const NO_LONGER_MS = 2_000

/** Resolves once what is on its way to the screen is painted: nothing is marked as busy. */
export async function afterScreen(untilMs = performance.now() + NO_LONGER_MS): Promise<void> {
  await afterPaint()
  const leftMs = untilMs - performance.now()
  if (marks === 0 || leftMs <= 0) return
  await new Promise<void>((resolve) => {
    waiting.push(resolve)
    setTimeout(resolve, leftMs)
  })
  await afterScreen(untilMs)
}

/** Marks the app as busy while it holds: a card in the hand, a screen that still loads, work kept in memory alone. */
export function useBusy(isBusy: boolean) {
  useEffect(() => (isBusy ? markBusy() : undefined), [isBusy])
}

/** No mark, no dialog, no typing, and no pointer down, for a second. */
export function useIsIdle(): boolean {
  return useSyncExternalStore(subscribe, () => quietPolls >= QUIET_POLLS)
}

/** Nothing was marked as busy for a second: what was asked for is there. Once so, always so. */
export function useHasSettled(): boolean {
  const [looksWithout, count] = useState(0)
  const hasSettled = looksWithout >= QUIET_POLLS
  useEffect(() => {
    if (hasSettled) return undefined
    const looking = setInterval(() => count((quiet) => (marks > 0 ? 0 : quiet + 1)), POLL_MS)
    return () => clearInterval(looking)
  }, [hasSettled])
  return hasSettled
}

function poll() {
  const wasIdle = quietPolls >= QUIET_POLLS
  // A press may be the answer to what is shown; it only keeps new words away.
  const isBusy = marks > 0 || isInDialog() || isTyping() || (isPressed && !wasIdle)
  quietPolls = isBusy ? 0 : quietPolls + 1
  if (wasIdle !== quietPolls >= QUIET_POLLS) for (const listener of listeners) listener()
}

const isInDialog = () => document.querySelector('dialog[open]') !== null
const isTyping = () => document.activeElement?.matches(TYPING) ?? false

function press() {
  isPressed = true
  quietPolls = Math.min(quietPolls, QUIET_POLLS)
}
function lift() {
  isPressed = false
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) watch(true)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) watch(false)
  }
}

function watch(isOn: boolean) {
  clearInterval(timer)
  if (isOn) timer = setInterval(poll, POLL_MS)
  const change = isOn ? addEventListener : removeEventListener
  change('pointerdown', press, true)
  change('pointerup', lift, true)
  change('pointercancel', lift, true)
  change('focusin', poll, true)
  quietPolls = 0
}
