// The file of the campaign being written. Its bytes are only in memory; its name is stored, so that its loss is
// noticed.
import { useSyncExternalStore } from 'react'
import { readDraft, writeDraft } from '#offline/drafts.ts'
import { currentOwner, forgetOnExit } from '#offline/owner.ts'
import type { OutgoingFile } from '#offline/stores.ts'
import { prepareFile, type Refused } from '#data/messages/prepare-file.ts'

export type CampaignFile = {
  owner: string | null
  file: OutgoingFile | null
  /** An object URL of a picture, for the preview. */
  previewUrl: string | null
  isPreparing: boolean
  /** The name of a file that was lost in a reload. */
  lostName: string | null
  /** Why the last chosen file was refused. */
  refused: Refused | null
}

const NONE: CampaignFile = {
  owner: null,
  file: null,
  previewUrl: null,
  isPreparing: false,
  lostName: null,
  refused: null,
}
const DRAFT_KEY = 'campaign-file'

let current = NONE
const listeners = new Set<() => void>()
forgetOnExit(() => become({}))

function become(next: Partial<CampaignFile>) {
  if (current.previewUrl !== null) URL.revokeObjectURL(current.previewUrl)
  current = { ...NONE, owner: currentOwner(), ...next }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The signed-in user's, so that users of one device do not see each other's files. */
export function useCampaignFile(): CampaignFile {
  return useSyncExternalStore(subscribe, () => (current.owner === currentOwner() ? current : NONE))
}

/** After a reload, notices that a file was lost. */
export async function missCampaignFile(): Promise<void> {
  const before = current
  const lostName = await readDraft(DRAFT_KEY)
  if (lostName !== '' && current === before && before.file === null && !before.isPreparing)
    become({ lostName })
}

/** Replaces the previous file, or says why the new one cannot be sent. */
export async function chooseCampaignFile(chosen: File): Promise<void> {
  become({ isPreparing: true })
  const preparing = current
  const ready = await prepareFile(chosen)
  // The broker removed or replaced the file meanwhile.
  if (current !== preparing) return
  void writeDraft(DRAFT_KEY, typeof ready === 'string' ? '' : chosen.name)
  if (typeof ready === 'string') return become({ refused: ready })
  become({ file: ready, previewUrl: ready.kind === 'image' ? URL.createObjectURL(ready.file) : null })
}

export function dropCampaignFile() {
  void writeDraft(DRAFT_KEY, '')
  become({})
}
