// The draft of a campaign to a segment. Every change stores it on the device, so that a reload loses nothing.
import { useEffect, useEffectEvent, useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import { SHARES, type SegmentQuestion } from '#domain/segment.ts'
import { readDraft, writeDraft } from '#offline/drafts.ts'
import { readQuestion } from './segment-data.ts'

export type SegmentDraft = {
  /** New after each change. A repeated start after a lost response has the same id, and plans no second campaign. */
  operationId: string
  question: SegmentQuestion
  /** The saved segment from which the draft was made. Null: none. */
  segmentId: number | null
  /** How many of a hundred persons get nothing, if `isCompared`. */
  percent: number
  isCompared: boolean
  message: string
  /** '2026-11-24T09:30' in the portal's time zone; null: now. */
  startsAt: string | null
  marks: boolean
}

const KEY = 'segment-campaign'
const newDraft = (): SegmentDraft => ({
  operationId: newOperationId(),
  question: {},
  segmentId: null,
  percent: SHARES[1],
  isCompared: true,
  message: '',
  startsAt: null,
  marks: true,
})

export type DraftHandle = {
  draft: SegmentDraft
  change: (part: Partial<Omit<SegmentDraft, 'operationId'>>) => void
  reset: () => void
}

export function useSegmentDraft(): DraftHandle {
  const [draft, setDraft] = useState(newDraft)
  const [isTouched, setTouched] = useState(false)
  const show = useEffectEvent((left: string) => {
    const known = isTouched ? null : read(left)
    if (known) setDraft(known)
  })
  useEffect(() => {
    void readDraft(KEY).then((left) => show(left))
  }, [])
  const write = (next: SegmentDraft, text: string) => {
    setTouched(true)
    setDraft(next)
    void writeDraft(KEY, text)
  }
  return {
    draft,
    change: (part) => {
      const next = { ...draft, ...part, operationId: newOperationId() }
      write(next, JSON.stringify(next))
    },
    reset: () => write(newDraft(), ''),
  }
}

/** Null if there is no draft, or it cannot be read. Fields that an older app did not write get their defaults. */
function read(text: string): SegmentDraft | null {
  if (text === '') return null
  try {
    const draft: Partial<SegmentDraft> = JSON.parse(text)
    return { ...newDraft(), ...draft, question: readQuestion(draft.question) }
  } catch {
    return null
  }
}
