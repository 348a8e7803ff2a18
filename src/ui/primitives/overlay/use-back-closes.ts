// Adds a history entry for each open layer, so that Back (an edge swipe, Android's button) closes the layer.
import { useEffect, useEffectEvent, useId } from 'react'

type Layer = { key: string; leave: () => void }

/** The open layers, topmost last. Back closes only the topmost. */
const layers: Layer[] = []
/**
 * Recently closed layers, with the page they were on. Their history entry is removed, unless they reopen at once, as in
 * React's strict mode.
 */
const leaving = new Map<string, string>()
/** The history entry from which the browser is going back, which takes a moment; null if there is none. */
let left: unknown = null
/** True until the first layer opens after the page has loaded. */
let isFresh = true
/** Layers that opened during a step back. Their entry is added after it, because the step would close them. */
const owed = new Set<string>()

/** `asksFirst`: the user may cancel the closing, so the history entry stays until the layer has closed. */
export function useBackCloses(isOpen: boolean, onClose: () => void, asksFirst = false) {
  const key = useId()
  const close = useEffectEvent(() => {
    if (asksFirst) push(key)
    onClose()
    return asksFirst
  })

  useEffect(() => {
    if (!isOpen) return undefined
    const page = location.href
    let hasStep = true
    const layer = { key, leave: () => void (hasStep = close()) }
    takeStep(key)
    if (layers.push(layer) === 1) addEventListener('popstate', onPop)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      if (layers.length === 0) removeEventListener('popstate', onPop)
      if (hasStep && !owed.delete(key)) stepBackFrom(key, page)
    }
  }, [isOpen, key])
}

/**
 * Adds a layer's history entry. A layer that replaces another one takes over its entry, because a step back would close
 * the new layer.
 */
function takeStep(key: string) {
  if (isFresh) disownStep()
  if (leaving.delete(key)) return
  const given = [...leaving].find(([, page]) => page === location.href)
  if (!given) return isGoingBack() ? void owed.add(key) : push(key)
  leaving.delete(given[0])
  history.replaceState({ ...history.state, layer: key }, '')
}

/**
 * Clears the layer's name from the present entry. After a reload under a sheet, that entry is the sheet's, and a new
 * layer may have the same name.
 */
function disownStep() {
  isFresh = false
  if (history.state?.layer !== undefined) history.replaceState({ ...history.state, layer: undefined }, '')
}

function push(key: string) {
  left = null
  history.pushState({ ...history.state, layer: key }, '')
}

/** Handles steps in the history. If the user comes back from another page, the topmost layer is open as before. */
function onPop({ state }: PopStateEvent) {
  for (const key of owed) push(key)
  const top = layers.at(-1)
  if (top && !owed.has(top.key) && state?.layer !== top.key) top.leave()
  owed.clear()
}

/** True during a step back. If other code has replaced the entry, the step counts as over. */
function isGoingBack(): boolean {
  return left !== null && history.state?.layer === left
}

/** Runs a change of the address; during a step back it waits, because the step would undo the change. */
export function afterStepBack(run: () => void): void {
  if (isGoingBack()) addEventListener('popstate', run, { once: true })
  else run()
}

/**
 * Removes a layer's history entry. Layers that close together go back in one step, because a second step would cancel
 * the first.
 */
function stepBackFrom(key: string, page: string) {
  if (leaving.size === 0) setTimeout(stepBack)
  leaving.set(key, page)
}

function stepBack() {
  if (isGoingBack()) return addEventListener('popstate', stepBack, { once: true })
  // If the user went to another page meanwhile, no step is made.
  const steps = [...leaving.values()].filter((page) => page === location.href).length
  leaving.clear()
  if (steps === 0) return
  left = history.state?.layer ?? null
  history.go(-steps)
}
