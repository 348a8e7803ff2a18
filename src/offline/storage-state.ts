// How the device's storage is doing, for the screen to say so.

/** `full`: nothing more can be kept. `broken`: nothing can be kept or read. */
export type StorageState = 'ok' | 'full' | 'broken'

let state: StorageState = 'ok'
const listeners = new Set<() => void>()

export function storageState(): StorageState {
  return state
}

export function noteStorage(next: StorageState) {
  if (state === next) return
  state = next
  for (const listener of listeners) listener()
}

/** Calls back at each change; answers the stop. */
export function watchStorage(changed: () => void): () => void {
  listeners.add(changed)
  return () => void listeners.delete(changed)
}
