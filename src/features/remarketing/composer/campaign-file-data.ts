// Holds the file of the campaign being written. Only memory has its bytes; its name is stored, so that a reload notices
// the loss.
import { useSyncExternalStore } from 'react'
import { readDraft, writeDraft } from '#offline/drafts.ts'
import { currentOwner, forgetOnExit } from '#offline/owner.ts'
import type { OutgoingFile } from '#offline/stores.ts'
import { prepareFile, type Refused } from '#data/messages/prepare-file.ts'

export type CampaignFile = {
  owner: string | null
  file: OutgoingFile | null
  /** The address of an object URL, which shows a picture in the preview. */
  previewUrl: string | null
  isPreparing: boolean
  /** The name of a file that a reload has lost, because only memory had its bytes. */
  lostName: string | null
  /** Why the file that was chosen last cannot be sent. */
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

/** Returns the file of the signed-in user, so that people who share a device do not see each other's files. */
export function useCampaignFile(): CampaignFile {
  return useSyncExternalStore(subscribe, () => (current.owner === currentOwner() ? current : NONE))
}

/** Called after a reload: finds out whether the draft had a file, which is now lost. */
export async function missCampaignFile(): Promise<void> {
  const before = current
  const lostName = await readDraft(DRAFT_KEY)
  if (lostName !== '' && current === before && before.file === null && !before.isPreparing)
    become({ lostName })
}

/** Takes a file in place of the previous one, or tells why the new one cannot be sent. */
export async function chooseCampaignFile(chosen: File): Promise<void> {
  become({ isPreparing: true })
  const preparing = current
  const ready = await prepareFile(chosen)
  // The broker has removed or replaced the file meanwhile, so this one is dropped.
  if (current !== preparing) return
  void writeDraft(DRAFT_KEY, typeof ready === 'string' ? '' : chosen.name)
  if (typeof ready === 'string') return become({ refused: ready })
  become({ file: ready, previewUrl: ready.kind === 'image' ? URL.createObjectURL(ready.file) : null })
}

export function dropCampaignFile() {
  void writeDraft(DRAFT_KEY, '')
  become({})
}
