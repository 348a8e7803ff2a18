// The file that goes along with the campaign being written: its bytes in memory alone, its name on the device, so that it is missed.
import { useSyncExternalStore } from 'react'
import { readDraft, writeDraft } from '#offline/drafts.ts'
import { currentOwner, forgetOnExit } from '#offline/owner.ts'
import type { OutgoingFile } from '#offline/stores.ts'
import { prepareFile, type Refused } from '#data/messages/prepare-file.ts'

export type CampaignFile = {
  owner: string | null
  file: OutgoingFile | null
  /** Of a picture, to look at. */
  previewUrl: string | null
  isPreparing: boolean
  /** The name of one that went with the page it was chosen on. */
  lostName: string | null
  /** Why the one chosen last was not taken. */
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

/** Of the person signed in: on a device of several, nobody sees another's. */
export function useCampaignFile(): CampaignFile {
  return useSyncExternalStore(subscribe, () => (current.owner === currentOwner() ? current : NONE))
}

/** Notices, once the page was loaded again, that there was one. */
export async function missCampaignFile(): Promise<void> {
  const before = current
  const lostName = await readDraft(DRAFT_KEY)
  if (lostName !== '' && current === before && before.file === null && !before.isPreparing)
    become({ lostName })
}

/** Takes the place of the one before, or says why it cannot be sent. */
export async function chooseCampaignFile(chosen: File): Promise<void> {
  become({ isPreparing: true })
  const preparing = current
  const ready = await prepareFile(chosen)
  // Taken away or chosen again meanwhile.
  if (current !== preparing) return
  void writeDraft(DRAFT_KEY, typeof ready === 'string' ? '' : chosen.name)
  if (typeof ready === 'string') return become({ refused: ready })
  become({ file: ready, previewUrl: ready.kind === 'image' ? URL.createObjectURL(ready.file) : null })
}

export function dropCampaignFile() {
  void writeDraft(DRAFT_KEY, '')
  become({})
}
