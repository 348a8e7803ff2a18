// The signed-in user, whose data this device stores and reads.

let owner: string | null = null

/** Returns the signed-in user's id; null while nobody is signed in, when nothing is stored. */
export function currentOwner(): string | null {
  return owner
}

export function setOwner(id: string | null) {
  owner = id
}

/** Functions that clear a user's data from this tab's memory. The modules that hold the data register them. */
const memories = new Set<() => void>()

export function forgetOnExit(forget: () => void) {
  memories.add(forget)
}

/** Clears a user's data from memory after 'Sair' in any tab. */
export function forgetMemories() {
  for (const forget of memories) forget()
}

const screens = new Set<() => void>()

/** Registers a function that clears what screens have read of the user. */
export function forgetWithOwner(forget: () => void) {
  screens.add(forget)
}

/** Clears what screens have read, because another user signed in. The previous user's outbox and drafts stay. */
export function forgetScreens() {
  for (const forget of screens) forget()
}
