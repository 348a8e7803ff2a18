// The file that goes along with the campaign being written: in memory alone, until it is sent or the app closes. Spec 2.18, 5; PRODUCT.md 4.4.
import { useSyncExternalStore } from 'react'
import { currentOwner } from '#offline/owner.ts'
import { prepareFile, type Refused } from './prepare-file.ts'
import type { OutgoingFile } from './sending.ts'

export type CampaignFile = {
  owner: string | null
  file: OutgoingFile | null
  /** Of a picture, to look at. */
  previewUrl: string | null
  isPreparing: boolean
  /** Why the one chosen last was not taken. */
  refused: Refused | null
}

const NONE: CampaignFile = { owner: null, file: null, previewUrl: null, isPreparing: false, refused: null }

let current = NONE
const listeners = new Set<() => void>()

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

/** Takes the place of the one before, or says why it cannot be sent. */
export async function chooseCampaignFile(chosen: File): Promise<void> {
  become({ isPreparing: true })
  const preparing = current
  const ready = await prepareFile(chosen)
  // Taken away or chosen anew meanwhile.
  if (current !== preparing) return
  if (typeof ready === 'string') return become({ refused: ready })
  become({ file: ready, previewUrl: ready.kind === 'image' ? URL.createObjectURL(ready.file) : null })
}

export function dropCampaignFile() {
  become({})
}
