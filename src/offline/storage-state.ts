// The state of the device's storage, which the screen reports.

/** `full`: nothing more can be stored. `broken`: nothing can be stored or read. */
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

/** Calls back at each change; returns the stop function. */
export function watchStorage(changed: () => void): () => void {
  listeners.add(changed)
  return () => void listeners.delete(changed)
}
