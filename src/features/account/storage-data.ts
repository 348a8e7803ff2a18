// The state of the device's storage, for screens.
import { useSyncExternalStore } from 'react'
import { type StorageState, storageState, watchStorage } from '#offline/storage-state.ts'

export type { StorageState }

export function useStorageState(): StorageState {
  return useSyncExternalStore(watchStorage, storageState)
}
