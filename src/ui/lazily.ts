// Parts of a screen fetched when they are first shown, or before, while nothing else is going on. What a lost signal kept away is
// fetched again on the same page.
import { type Attributes, type ComponentType, createElement, lazy, useEffect, useState } from 'react'
import { untilHere } from './arrival.ts'
import { RETRY } from './texts.ts'
import { toast } from './feedback/toast.ts'

type Lazily<P> = {
  Component: ComponentType<P>
  load: () => Promise<unknown>
  open: (show: () => void) => void
  isHere: () => boolean
}

/**
 * `Component` shows the part wherever it stands, as soon as it can be had; `open` is for what a press shows: without the
 * part it says so, and the press comes to nothing, for nothing may open by itself later under a pointer. `load` has it
 * ready before.
 */
export function lazily<P extends object>(fetchIt: () => Promise<ComponentType<P>>): Lazily<P> {
  let here: ComponentType<P> | undefined
  const load = async () => (here ??= await fetchIt())
  let hasFailed = false
  const offerAgain = (again: () => void) => {
    // Browsers of before 2026 do not ask again on the same page for a part that they failed to fetch.
    const isStuck = hasFailed && navigator.onLine
    hasFailed = true
    const [label, run] = isStuck
      ? (['Recarregar', () => location.reload()] as const)
      : ([RETRY, again] as const)
    toast('Erro ao abrir. Tente de novo quando a internet voltar.', 'error', { action: { label, run } })
  }
  // At once where it can be: a field takes the keyboard only within the press.
  const open = (show: () => void): void =>
    here ? show() : void load().then(show, () => offerAgain(() => open(show)))
  const Awaited = lazy(async () => ({ default: await untilHere(load, offerAgain) }))
  // What is here already shows at once, and whatever began stays the same component.
  const Component = (props: P & Attributes) => {
    const [type] = useState<ComponentType<P>>(() => here ?? Awaited)
    return createElement(type, props)
  }
  return { Component, load, open, isHere: () => here !== undefined }
}

const IDLE_AFTER_MS = 2_000
/** A first visit's worker needs about so long for all that it keeps. */
const KEPT_WITHIN_MS = 20_000

/** Has the part ready before it is asked for. What the service worker is fetching already is not fetched twice. */
export function useIdlePreload(load: () => Promise<unknown>) {
  useEffect(() => {
    let isWanted = true
    const begin = () => {
      if (isWanted) void untilHere(load)
      isWanted = false
    }
    const isKept = navigator.serviceWorker?.controller !== null
    const timer = setTimeout(begin, isKept ? IDLE_AFTER_MS : KEPT_WITHIN_MS)
    if (!isKept) void navigator.serviceWorker.ready.then(begin)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [load])
}
