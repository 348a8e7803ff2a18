// The work of a page's main thread while something happens, from the browser's trace.
import type { Page } from '@playwright/test'
import * as v from 'valibot'

/** In ms of processor time; `all` includes work that belongs to no part. */
export type Work = Record<Part | 'all', number>

export type Traced = Work & {
  /** Elements whose style was computed anew. */
  styled: number
}

export type Part = keyof typeof PARTS

/** Names of events. Work within an event of another part counts as that part. */
const PARTS = {
  script:
    /^(EvaluateScript|FunctionCall|EventDispatch|Fire\w+|TimerFire|RunMicrotasks|M\w+GC|V8\.GC\w*|v8\.\w+)$/,
  style: /^(UpdateLayoutTree|ParseAuthorStyleSheet)$/,
  layout: /^Layout$/,
  paint: /^(PrePaint|Paint|PaintImage|Layerize|Commit|UpdateLayer|ScrollLayer)$/,
  hitTests: /^HitTest$/,
} as const

const Events = v.array(
  v.object({
    name: v.string(),
    ph: v.string(),
    pid: v.number(),
    tid: v.number(),
    ts: v.number(),
    dur: v.optional(v.number(), 0),
    tdur: v.optional(v.number()),
    args: v.optional(v.object({ elementCount: v.optional(v.number()) })),
  }),
)
type Event = v.InferOutput<typeof Events>[number]

const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline']

/** Records a trace from before `act` until it resolves. */
export async function trace(page: Page, act: () => Promise<unknown>): Promise<Traced> {
  const session = await page.context().newCDPSession(page)
  const events: Event[] = []
  const collect = ({ value }: { value: unknown }) => {
    for (const event of v.parse(Events, value)) if (event.ph === 'X') events.push(event)
  }
  session.on('Tracing.dataCollected', collect)
  const isOver = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES },
  })
  await act()
  await session.send('Tracing.end')
  await isOver
  await session.detach()
  return workOf(ofMainThread(events))
}

/** The thread that computes styles; the other pages of the browser must be idle. */
function ofMainThread(events: readonly Event[]): Event[] {
  const styled = new Map<string, number>()
  const threadOf = ({ pid, tid }: Event) => `${pid} ${tid}`
  for (const event of events)
    if (PARTS.style.test(event.name))
      styled.set(threadOf(event), (styled.get(threadOf(event)) ?? 0) + event.dur)
  const [main] = [...styled].toSorted(([, a], [, b]) => b - a)
  return events.filter((event) => threadOf(event) === main?.[0])
}

function workOf(events: readonly Event[]): Traced {
  const traced: Traced = { script: 0, style: 0, layout: 0, paint: 0, hitTests: 0, all: 0, styled: 0 }
  const parts = Object.entries(PARTS)
  const open: { endsAt: number; part: string | undefined }[] = []
  const add = (part: string | undefined, ms: number) => {
    if (part !== undefined) traced[part as Part] += ms
  }
  for (const { name, ts, dur, tdur = dur, args } of events.toSorted((a, b) => a.ts - b.ts || b.dur - a.dur)) {
    while (open.length > 0 && (open.at(-1)?.endsAt ?? 0) <= ts) open.pop()
    const around = open.at(-1)
    const part = parts.find(([, names]) => names.test(name))?.[0] ?? around?.part
    const ms = tdur / 1_000
    if (around) add(around.part, -ms)
    else traced.all += ms
    add(part, ms)
    if (name === 'UpdateLayoutTree') traced.styled += args?.elementCount ?? 0
    open.push({ endsAt: ts + dur, part })
  }
  return traced
}
