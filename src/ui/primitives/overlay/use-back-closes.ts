// An open layer over a page is one history entry, so that Back (an edge swipe, Android's button) closes it.
import { useEffect, useEffectEvent, useId } from 'react'

type Layer = { key: string; leave: () => void }

/** The open layers, the topmost last; Back closes only the topmost. */
const layers: Layer[] = []
/**
 * Recently closed layers with the page they were on. Their history entry is removed, unless they reopen at once, as in
 * strict mode.
 */
const leaving = new Map<string, string>()
/** The history entry that is being left; the browser needs a moment to go back. */
let left: unknown = null
/** True until the first layer opens after the page load. */
let isFresh = true
/** Layers that opened during a step back. Their entry is added afterwards, because the step back would close them. */
const owed = new Set<string>()

/** `asksFirst`: closing may be cancelled, so the history entry stays until it really closes. */
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

/** A layer that is replaced by another one leaves it its history entry, because a step back would close the new one. */
function takeStep(key: string) {
  if (isFresh) disownStep()
  if (leaving.delete(key)) return
  const given = [...leaving].find(([, page]) => page === location.href)
  if (!given) return isGoingBack() ? void owed.add(key) : push(key)
  leaving.delete(given[0])
  history.replaceState({ ...history.state, layer: key }, '')
}

/** A page reloaded under a sheet starts on that sheet's entry, whose name a new layer may have as well. */
function disownStep() {
  isFresh = false
  if (history.state?.layer !== undefined) history.replaceState({ ...history.state, layer: undefined }, '')
}

function push(key: string) {
  left = null
  history.pushState({ ...history.state, layer: key }, '')
}

/** When the user comes back from another page, the topmost layer is open as before. */
function onPop({ state }: PopStateEvent) {
  for (const key of owed) push(key)
  const top = layers.at(-1)
  if (top && !owed.has(top.key) && state?.layer !== top.key) top.leave()
  owed.clear()
}

/** An entry that was replaced by something else is gone, too. */
function isGoingBack(): boolean {
  return left !== null && history.state?.layer === left
}

/** Runs what changes the address after a step back that is under way, because that step would undo it. */
export function afterStepBack(run: () => void): void {
  if (isGoingBack()) addEventListener('popstate', run, { once: true })
  else run()
}

/** Layers that close together go back in one step, because a second step would cancel the first. */
function stepBackFrom(key: string, page: string) {
  if (leaving.size === 0) setTimeout(stepBack)
  leaving.set(key, page)
}

function stepBack() {
  if (isGoingBack()) return addEventListener('popstate', stepBack, { once: true })
  // If the user went to another page meanwhile, they stay there.
  const steps = [...leaving.values()].filter((page) => page === location.href).length
  leaving.clear()
  if (steps === 0) return
  left = history.state?.layer ?? null
  history.go(-steps)
}
