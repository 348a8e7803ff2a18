// Whose data is kept and read on this device: the person signed in. PRODUCT.md 4.8.

let owner: string | null = null

/** Null while nobody is signed in; what would be kept then is not. */
export function currentOwner(): string | null {
  return owner
}

export function setOwner(id: string | null) {
  owner = id
}
