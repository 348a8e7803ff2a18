// Time that passes when the test says so: timers set meanwhile wait for it, and go on by themselves afterwards.

type Timer = { run: () => void; dueMs: number }

const own = { setTimeout: window.setTimeout, clearTimeout: window.clearTimeout }
/** By numbers that the browser does not give. */
const waiting = new Map<number, Timer>()
/** Those that wait no more, by the same numbers. */
const released = new Map<number, ReturnType<typeof setTimeout>>()
let isStopped = false
let nowMs = 0
let last = 2 ** 40

/** From now on a timer runs by `passTime` alone; answers whether time went on before. */
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

/** Whatever became due runs, in its order. */
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

/** What still waits has the rest of its time before it. */
export function letTimeGoOn() {
  if (!isStopped) return
  isStopped = false
  window.setTimeout = own.setTimeout
  for (const [id, { run, dueMs }] of waiting)
    released.set(id, own.setTimeout.call(window, run, dueMs - nowMs))
  waiting.clear()
}
