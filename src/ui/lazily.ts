// Parts of a screen that load when first shown, or earlier while the app is idle. A failed load can be retried without
// a page reload.
import { type Attributes, type ComponentType, createElement, lazy, useEffect, useState } from 'react'
import { afterFirst } from '#data/first-in-line.ts'
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
 * `Component` renders the part once it is loaded. `open` is for a press that opens the part. If the load fails, it
 * tells so and opens nothing, because a late opening would surprise the user. `load` loads the part in advance.
 */
export function lazily<P extends object>(fetchIt: () => Promise<ComponentType<P>>): Lazily<P> {
  let here: ComponentType<P> | undefined
  const load = async () => (here ??= await fetchIt())
  let hasFailed = false
  const offerAgain = (again: () => void) => {
    // The second failure with a network: the portal may no longer have the file of this version.
    const isStuck = hasFailed && navigator.onLine
    hasFailed = true
    const [label, run] = isStuck
      ? (['Recarregar', () => location.reload()] as const)
      : ([RETRY, again] as const)
    toast('Erro ao abrir. Tente de novo quando a internet voltar.', 'error', { action: { label, run } })
  }
  // Synchronous if the part is loaded, because iOS opens the keyboard only during the press.
  const open = (show: () => void): void =>
    here ? show() : void load().then(show, () => offerAgain(() => open(show)))
  const Awaited = lazy(async () => ({ default: await untilHere(load, offerAgain) }))
  // Decided once per mount: a loaded part renders at once, and the component type must not change later.
  const Component = (props: P & Attributes) => {
    const [type] = useState<ComponentType<P>>(() => here ?? Awaited)
    return createElement(type, props)
  }
  return { Component, load, open, isHere: () => here !== undefined }
}

const IDLE_AFTER_MS = 2_000
/** At a first visit, the service worker needs this long to cache everything. */
const KEPT_WITHIN_MS = 20_000

/** Loads the part while the app is idle; at a first visit after the service worker has cached everything. */
export function useIdlePreload(load: () => Promise<unknown>) {
  useEffect(() => {
    let isWanted = true
    const begin = () => {
      if (isWanted) void afterFirst().then(() => untilHere(load))
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
