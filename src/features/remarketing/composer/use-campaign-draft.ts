// The campaign being written, kept on the device at every change, so that a reload takes nothing away.
import { useEffect, useEffectEvent, useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import { readDraft, writeDraft } from '#offline/drafts.ts'

export type CampaignDraft = {
  /** One for what is written: started again after a lost answer it is the same campaign. */
  operationId: string
  stageSlug: string
  message: string
  /** Who was deselected, by contact. */
  skipped: readonly number[]
  /** '2026-11-24T09:30' in the portal's zone, '' while none is chosen; null: now. */
  startsAt: string | null
  marks: boolean
}

const DRAFT_KEY = 'campaign'

const EMPTY = { stageSlug: '', message: '', skipped: [], startsAt: null, marks: true }
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

/** Null for nothing, and for what another version of the app may have written. */
function read(text: string): CampaignDraft | null {
  if (text === '') return null
  try {
    const draft: Partial<CampaignDraft> = JSON.parse(text)
    return { ...newDraft(), ...draft }
  } catch {
    return null
  }
}
