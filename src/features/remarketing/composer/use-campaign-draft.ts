// Stores the campaign being written on the device at every change, so that a reload loses nothing.
import { useEffect, useEffectEvent, useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import { readDraft, writeDraft } from '#offline/drafts.ts'

export type CampaignDraft = {
  /** Each draft has one operation id, so that a retry after a lost response does not start a second campaign. */
  operationId: string
  stageSlug: string
  /** Restricts the recipients to leads interested in this development; '' does not restrict them. */
  development: string
  message: string
  /** The ids of the contacts that the user deselected. */
  skipped: readonly number[]
  /**
   * The start, for example '2026-11-24T09:30' in the portal's time zone. Null: now; '': the user has chosen no time
   * yet.
   */
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

/** Reads the stored draft. Returns null if there is none, or if another version of the app wrote it. */
function read(text: string): CampaignDraft | null {
  if (text === '') return null
  try {
    const draft: Partial<CampaignDraft> = JSON.parse(text)
    return { ...newDraft(), ...draft }
  } catch {
    return null
  }
}
