// How the device's storage is doing, for screens. INTERACTIONS 9.
import { useSyncExternalStore } from 'react'
import { type StorageState, storageState, watchStorage } from '#offline/storage-state.ts'

export type { StorageState }

export function useStorageState(): StorageState {
  return useSyncExternalStore(watchStorage, storageState)
}
