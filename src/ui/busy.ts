// Tells whether the user is busy. Messages that nobody asked for wait for a quiet moment.
import { useEffect, useState, useSyncExternalStore } from 'react'
import { afterPaint } from '#data/after-paint.ts'

const POLL_MS = 500
/** The user counts as idle once this many checks in a row found nothing. */
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

/** A screen that never finishes is waited for only this long. */
const NO_LONGER_MS = 2_000

/** Resolves once nothing marks the app as busy, so that the screen is painted. */
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

/** Marks the app as busy, for example during a drag, while a screen loads, or while memory holds unsaved work. */
export function useBusy(isBusy: boolean) {
  useEffect(() => (isBusy ? markBusy() : undefined), [isBusy])
}

/** True after a second without a busy mark, dialog, typing or pressed pointer. */
export function useIsIdle(): boolean {
  return useSyncExternalStore(subscribe, () => quietPolls >= QUIET_POLLS)
}

/** True once nothing has marked the app as busy for a second, and from then on. */
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
  // A press does not hide a message that is already on screen, because the press may be the answer to it.
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
