// The signed-in user, whose data this device stores and reads.

let owner: string | null = null

/** Null while nobody is signed in; nothing is stored then. */
export function currentOwner(): string | null {
  return owner
}

export function setOwner(id: string | null) {
  owner = id
}

/** Callbacks that clear a user's data in this tab's memory; each belongs to the module that holds it. */
const memories = new Set<() => void>()

export function forgetOnExit(forget: () => void) {
  memories.add(forget)
}

/** Runs after 'Sair' in any tab: nothing stays in memory. */
export function forgetMemories() {
  for (const forget of memories) forget()
}

const screens = new Set<() => void>()

/** `forget` clears what screens have read of the user. */
export function forgetWithOwner(forget: () => void) {
  screens.add(forget)
}

/** A different user signed in: clears what was read for the previous one. That user's outbox and drafts stay. */
export function forgetScreens() {
  for (const forget of screens) forget()
}
