// Says that this device keeps nothing, and what follows from it.
import { HardDrive } from 'lucide-react'
import { useStorageState } from '#data/storage.ts'
import { Banner } from '#ui/primitives/banner.tsx'
import { STORAGE_WORDS } from './storage-texts.ts'

export function StorageBanner() {
  const state = useStorageState()
  return (
    <div className="px-4 pt-2 empty:hidden lg:px-8">
      {state !== 'ok' && (
        <Banner tone="warning" icon={HardDrive}>
          {STORAGE_WORDS[state]}
        </Banner>
      )}
    </div>
  )
}
