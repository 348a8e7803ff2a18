// Whose data is kept and read on this device: the person signed in.

let owner: string | null = null

/** Null while nobody is signed in; what would be kept then is not. */
export function currentOwner(): string | null {
  return owner
}

export function setOwner(id: string | null) {
  owner = id
}

/** What this tab alone holds of a person, each known to its keeper. */
const memories = new Set<() => void>()

export function forgetOnExit(forget: () => void) {
  memories.add(forget)
}

/** With 'Sair' nothing is left in memory either, in whatever tab it was pressed. */
export function forgetMemories() {
  for (const forget of memories) forget()
}

const screens = new Set<() => void>()

/** What screens have read of the person; `forget` empties it. */
export function forgetWithOwner(forget: () => void) {
  screens.add(forget)
}

/** Another person follows: what was read for the one before goes, what that one did and typed is kept for it. */
export function forgetScreens() {
  for (const forget of screens) forget()
}
