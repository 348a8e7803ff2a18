// Asks why a lead was lost, once the move can no longer be undone and no dialog is open.
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useBoard } from '#data/board/leads.ts'
import { usePending } from '#data/pending.ts'
import { lazily, useIdlePreload } from '#ui/lazily.ts'

const sheet = lazily(async () => (await import('./loss-sheet.tsx')).LossSheet)

/** The toast offers an undo of the move until then. */
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
  /** The lead to ask about once no dialog is open. */
  const [dueId, setDue] = useState<number>()
  const ask = useEffectEvent((leadId: number) => {
    // No question opens over another dialog. A timer delays this check, because a closing dialog may open another one.
    if (document.querySelector('dialog:modal')) return
    setDue(undefined)
    // Skip it if the move was undone.
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
    // 'close' events do not bubble, so the listener captures them.
    document.addEventListener('close', look, true)
    return () => document.removeEventListener('close', look, true)
  }, [dueId])
  useEffect(() => () => clearTimeout(timer.current?.id), [])
  useIdlePreload(sheet.load)
  // Once opened, the sheet stays mounted while closed, so that its closing is animated.
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
