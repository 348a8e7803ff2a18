// The campaign being written, stored on the device at every change, so that a reload loses nothing.
import { useEffect, useEffectEvent, useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import { readDraft, writeDraft } from '#offline/drafts.ts'

export type CampaignDraft = {
  /** One per draft, so that a repeated start after a lost response makes no second campaign. */
  operationId: string
  stageSlug: string
  /** Only leads interested in it; '' for all. */
  development: string
  message: string
  /** Deselected contacts. */
  skipped: readonly number[]
  /** '2026-11-24T09:30' in the portal's time zone, '' if none is chosen; null: now. */
  startsAt: string | null
  marks: boolean
}

const DRAFT_KEY = 'campaign'

const EMPTY = { stageSlug: '', development: '', message: '', skipped: [], startsAt: null, marks: true }
const newDraft = (): CampaignDraft => ({ operationId: newOperationId(), ...EMPTY })

export type DraftHandle = {
  draft: CampaignDraft
  change: (part: Partial<Omit<CampaignDraft, 'operationId'>>) => void
  reset: () => void
}

export function useCampaignDraft(): DraftHandle {
  const [draft, setDraft] = useState(newDraft)
  const [isTouched, setTouched] = useState(false)
  const show = useEffectEvent((left: string) => {
    const known = isTouched ? null : read(left)
    if (known) setDraft(known)
  })
  useEffect(() => {
    void readDraft(DRAFT_KEY).then((left) => show(left))
  }, [])
  const write = (next: CampaignDraft, text: string) => {
    setTouched(true)
    setDraft(next)
    void writeDraft(DRAFT_KEY, text)
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

/** Null if there is no draft, or another version of the app wrote it. */
function read(text: string): CampaignDraft | null {
  if (text === '') return null
  try {
    const draft: Partial<CampaignDraft> = JSON.parse(text)
    return { ...newDraft(), ...draft }
  } catch {
    return null
  }
}
