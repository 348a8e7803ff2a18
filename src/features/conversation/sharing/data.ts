// Reads what other apps shared with the portal, its contacts included, and puts it into a conversation's composer.
import { type Card, isVCard, readCards } from '#domain/lead/list/read-vcard.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { readTyped } from '#domain/phone/typed.ts'
import { addToDraft } from '#offline/drafts.ts'
import { currentOwner } from '#offline/owner.ts'
import { keepRest, readShares, removeShare, type Share } from '#offline/shares.ts'
import { areFilesKept, attachFiles, restoreDraftAttachments } from '../ground/attachments-data.ts'

export type Received = Share & {
  /** People from shared vCards; `files` has the other shared files. */
  contacts: readonly Card[]
  /** A phone number found in the text; '' if there is none. */
  number: string
}

/** Reads the shares, oldest first. A share without content is deleted. */
export async function readReceived(): Promise<Received[]> {
  const owner = currentOwner()
  if (owner === null) return []
  const received = await Promise.all((await readShares(owner)).map(read))
  return received.filter((one) => {
    const isEmpty = one.contacts.length === 0 && one.files.length === 0 && one.text === ''
    if (isEmpty) void removeShare(one.key)
    return !isEmpty
  })
}

const NAMED_VCARD = /\.vcf$/i

async function read(share: Share): Promise<Received> {
  const contacts: Card[] = []
  const files: File[] = []
  for (const file of share.files) {
    const mayBe = NAMED_VCARD.test(file.name) || file.type.includes('vcard')
    const cards = mayBe ? readCards(await file.text()) : []
    if (cards.length > 0) contacts.push(...cards)
    else files.push(file)
  }
  if (isVCard(share.text)) return { ...share, text: '', files, contacts: readCards(share.text), number: '' }
  const { numbers } = await readTyped(share.text)
  return { ...share, files, contacts, number: numbers[0] ?? '' }
}

/**
 * Puts text and files into the composer of this lead's conversation, unsent. The share stays stored until the device
 * has them in the composer. Resolves with the files beyond the composer's limit.
 */
export async function putInto(lead: Lead, share: Received): Promise<Received | null> {
  if (share.text !== '') await addToDraft(`conversation:${lead.id}`, share.text)
  if (share.files.length === 0) return end(share)
  await restoreDraftAttachments(lead.id)
  const taken = await attachFiles(lead.id, share.files)
  if (!(await areFilesKept(lead.id))) return null
  const files = share.files.slice(taken)
  return files.length === 0 ? end(share) : leave(share, files)
}

/**
 * Ends a share whose contacts became leads, or that the broker discards. Resolves with the files that came with the
 * contacts.
 */
export function finish(share: Received): Promise<Received | null> {
  return share.contacts.length > 0 && share.files.length > 0 ? leave(share, share.files) : end(share)
}

async function end({ key }: Received): Promise<null> {
  await removeShare(key)
  return null
}

async function leave(share: Received, files: readonly File[]): Promise<Received> {
  await keepRest(share.key, files)
  return { ...share, title: '', text: '', number: '', contacts: [], files }
}
