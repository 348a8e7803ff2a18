// Asks why a lead was lost once its move has settled and nothing lies over the page: whoever moved it went on meanwhile, and may still
// take it back.
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useBoard } from '#data/board/leads.ts'
import { usePending } from '#data/pending.ts'
import { lazily, useIdlePreload } from '#ui/lazily.ts'

const sheet = lazily(async () => (await import('./loss-sheet.tsx')).LossSheet)

/** As long as the move can be undone with one press. */
const AFTER_MS = 6_500

export function LossAsker({ instanceName }: { instanceName: string }) {
  const { board } = useBoard(instanceName)
  const { entries } = usePending()
  const [sinceMs] = useState(() => Date.now())
  const [askedId, setAsked] = useState<number>()
  const timer = useRef<{ seq: number; id: ReturnType<typeof setTimeout> }>(null)
  const lost = board?.stages.filter(({ kind }) => kind === 'lost') ?? []
  const stageOf = (leadId: number | undefined) => {
    const slug = leadId === undefined ? undefined : board?.leads.get(leadId)?.stageSlug
    return lost.find((stage) => stage.slug === slug)
  }
  const last = entries.findLast(
    ({ command, createdAtMs }) =>
      command.kind === 'lead.move' &&
      createdAtMs >= sinceMs &&
      lost.some(({ slug }) => slug === command.toSlug),
  )
  /** Settled, and not asked of yet. */
  const [dueId, setDue] = useState<number>()
  const ask = useEffectEvent((leadId: number) => {
    // Never over something else that is open; what closes gives way to what it opened from, or to another.
    if (document.querySelector('dialog:modal')) return
    setDue(undefined)
    // Not of one who has been taken back.
    if (stageOf(leadId)) setAsked(leadId)
  })
  const seq = last?.seq
  const leadId = last?.command.lead.id
  useEffect(() => {
    if (seq === undefined || leadId === undefined || timer.current?.seq === seq) return
    clearTimeout(timer.current?.id)
    timer.current = { seq, id: setTimeout(() => setDue(leadId), AFTER_MS) }
  }, [seq, leadId])
  useEffect(() => {
    if (dueId === undefined) return undefined
    const look = () => void setTimeout(() => ask(dueId))
    look()
    // It does not bubble.
    document.addEventListener('close', look, true)
    return () => document.removeEventListener('close', look, true)
  }, [dueId])
  useEffect(() => () => clearTimeout(timer.current?.id), [])
  useIdlePreload(sheet.load)
  // Once shown it stays, closed, so that it goes as it came.
  const [hasAsked, setHasAsked] = useState(false)
  if (askedId !== undefined && !hasAsked) setHasAsked(true)
  const stage = stageOf(askedId)
  return (
    <Suspense>
      {hasAsked && (
        <sheet.Component
          lead={stage && askedId !== undefined ? board?.leads.get(askedId) : undefined}
          stageName={stage?.name ?? ''}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Suspense>
  )
}
