// What is open over a page is one step of history, so that Back (a swipe from the edge, Android's button) closes it.
import { useEffect, useEffectEvent, useId } from 'react'

type Layer = { key: string; leave: () => void }

/** What is open over the page, the topmost last: Back is for that one alone. */
const layers: Layer[] = []
/** What closed just now, by the page it was over: its step of history goes, unless it opens again at once, as under strict mode. */
const leaving = new Map<string, string>()
/** The step that is being left: the browser takes a moment to go back. */
let left: unknown = null
/** Nothing was opened since this page was loaded. */
let isFresh = true
/** What opened meanwhile: its step is taken once the page is back, or going back would close it. */
const owed = new Set<string>()

/** `asksFirst`: closing is a question that may end in staying, so the step of history stays until it really closes. */
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

/** A sheet that gives way to another leaves it its step: the step back would close the one that opens. */
function takeStep(key: string) {
  if (isFresh) disownStep()
  if (leaving.delete(key)) return
  const given = [...leaving].find(([, page]) => page === location.href)
  if (!given) return isGoingBack() ? void owed.add(key) : push(key)
  leaving.delete(given[0])
  history.replaceState({ ...history.state, layer: key }, '')
}

/** A page that was reloaded under a sheet stands on the step of that one, which may be named as one of now is. */
function disownStep() {
  isFresh = false
  if (history.state?.layer !== undefined) history.replaceState({ ...history.state, layer: undefined }, '')
}

function push(key: string) {
  left = null
  history.pushState({ ...history.state, layer: key }, '')
}

/** Coming back from another page that was opened over it, the topmost one is where it was. */
function onPop({ state }: PopStateEvent) {
  for (const key of owed) push(key)
  const top = layers.at(-1)
  if (top && !owed.has(top.key) && state?.layer !== top.key) top.leave()
  owed.clear()
}

/** A step that something else took ends it, too. */
function isGoingBack(): boolean {
  return left !== null && history.state?.layer === left
}

/** What closes together takes its steps together: a second step back would cut the first one off. */
function stepBackFrom(key: string, page: string) {
  if (leaving.size === 0) setTimeout(stepBack)
  leaving.set(key, page)
}

function stepBack() {
  if (isGoingBack()) return addEventListener('popstate', stepBack, { once: true })
  // Whoever went to another page meanwhile stays there.
  const steps = [...leaving.values()].filter((page) => page === location.href).length
  leaving.clear()
  if (steps === 0) return
  left = history.state?.layer ?? null
  history.go(-steps)
}
