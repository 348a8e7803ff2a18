// Tells whether something that another app shared waits for the signed-in user.
import { currentOwner } from '#offline/owner.ts'
import { hasSharesFor } from '#offline/shares.ts'

export async function hasShares(): Promise<boolean> {
  const owner = currentOwner()
  return owner !== null && hasSharesFor(owner)
}
