// The state of the device's storage, which screens tell the user.

/** `full`: the device can store nothing more. `broken`: it can neither store nor read. */
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

/** Calls `changed` at each change. Returns the function that stops it. */
export function watchStorage(changed: () => void): () => void {
  listeners.add(changed)
  return () => void listeners.delete(changed)
}
