// Time that the test controls: timers set meanwhile wait for the test, and continue by themselves afterwards.

type Timer = { run: () => void; dueMs: number }

const own = { setTimeout: window.setTimeout, clearTimeout: window.clearTimeout }
/** Waiting timers by their ids, which lie outside the browser's range. */
const waiting = new Map<number, Timer>()
/** Timers that run normally again, by the same ids. */
const released = new Map<number, ReturnType<typeof setTimeout>>()
let isStopped = false
let nowMs = 0
let last = 2 ** 40

/** From now on timers run only through `passTime`; returns whether time was running before. */
export function stopTime(): boolean {
  if (isStopped) return false
  isStopped = true
  nowMs = 0
  window.setTimeout = ((run: (...rest: unknown[]) => void, delayMs = 0, ...rest: unknown[]) => {
    waiting.set(++last, { run: () => run(...rest), dueMs: nowMs + delayMs })
    return last
  }) as typeof window.setTimeout
  window.clearTimeout = (id) => {
    if (waiting.delete(Number(id))) return
    own.clearTimeout.call(window, released.get(Number(id)) ?? id)
  }
  return true
}

/** Runs all due timers in order. */
export function passTime(ms: number) {
  const untilMs = nowMs + ms
  for (;;) {
    const [next] = [...waiting].toSorted(([, a], [, b]) => a.dueMs - b.dueMs)
    if (!next || next[1].dueMs > untilMs) break
    waiting.delete(next[0])
    nowMs = next[1].dueMs
    next[1].run()
  }
  nowMs = untilMs
}

/** Waiting timers continue with their remaining time. */
export function letTimeGoOn() {
  if (!isStopped) return
  isStopped = false
  window.setTimeout = own.setTimeout
  for (const [id, { run, dueMs }] of waiting)
    released.set(id, own.setTimeout.call(window, run, dueMs - nowMs))
  waiting.clear()
}
