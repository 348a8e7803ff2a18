// Reads the index of developments and small pictures, stores both on the phone, and sends material.
import { hashKey, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { log } from '#api/log.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { leadRef, newOperationId, perform, record } from '#data/operation.ts'
import { queryClient } from '#data/query-client.ts'
import { type Captioned, type Choice, toThing } from '#domain/development/material.ts'
import { type Material, type PackedIndex, unpackIndex } from '#domain/development/material-index.ts'
import { renewed } from '#domain/development/renew.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { discardEntry, renewMaterial } from '#domain/outbox/decide.ts'
import { seqOf } from '#domain/outbox/message-overlay.ts'
import { currentOwner } from '#offline/owner.ts'
import { readAnswer, saveAnswer } from '#offline/query-cache.ts'
import { PackedIndexRow } from './packed-index.ts'

const Answer = v.object({ stamp: v.string(), index: v.optional(PackedIndexRow) })
type Kept = { stamp: string; index: PackedIndex }

const FRESH_MS = 60_000
const INDEX = { kind: 'material', most: 1, version: 2 }

/** The app loads the index while idle and when the sheet opens. The server omits it if the phone has the same one. */
export const materialQuery = () =>
  queryOptions({
    // The key is not in keys.ts, because the first page loads that file.
    queryKey: ['material'],
    queryFn: cachedOffline(INDEX, async ({ client, queryKey, signal }): Promise<Kept> => {
      const known = client.getQueryData<Kept>(queryKey) ?? (await read<Kept>(INDEX, hashKey(queryKey)))
      const query = known ? `?known=${known.stamp}` : ''
      const { stamp, index } = v.parse(Answer, await portal(`/api/developments/material${query}`, { signal }))
      if (index) return { stamp, index }
      if (known) return known
      throw new Error('the portal left the index out')
    }),
    select: toMaterials,
    staleTime: FRESH_MS,
  })

function toMaterials({ index }: Kept): readonly Material[] {
  return unpackIndex(index)
}

async function read<T>({ version, ...slot }: typeof INDEX, name: string): Promise<T | null> {
  const owner = currentOwner()
  if (owner === null) return null
  const stored = await readAnswer({ ...slot, version, owner, name }).catch(() => null)
  return (stored?.data as T | undefined) ?? null
}

type Small = readonly (readonly [fileId: number, base64: string])[]
const MAX_PICTURES = 40

/** Returns the small pictures that this phone showed most recently. */
export const keptPictures = () => kept<Small>('pictures', [])
/** Per development, the items that were chosen when this phone last sent its material. */
export const sentLast = () => kept<Readonly<Record<string, readonly string[]>>>('sent', {})

const slotOf = (kind: string) => ({ kind: `material-${kind}`, most: 1, version: 1 })

function kept<T>(kind: string, none: T) {
  const queryKey = ['kept-material', kind]
  return queryOptions({
    queryKey,
    queryFn: async () => (await read<T>(slotOf(kind), hashKey(queryKey))) ?? none,
    staleTime: Infinity,
    networkMode: 'always',
  })
}

/** Changes a stored value; if the device's storage is full, the old value stays. */
async function keep<T extends object>(
  query: { queryKey: readonly unknown[] },
  kind: string,
  change: (known: T) => T,
) {
  const known = await queryClient.ensureQueryData<T>(query)
  const changed = change(known)
  queryClient.setQueryData(query.queryKey, changed)
  const owner = currentOwner()
  if (owner === null) return
  await saveAnswer({ ...slotOf(kind), owner, name: hashKey(query.queryKey) }, changed, Date.now()).catch(
    (cause: unknown) => log.warn('material.keep-failed', cause),
  )
}

export const keepPicture = (fileId: number, base64: string): Promise<void> =>
  keep<Small>(keptPictures(), 'pictures', (known) => {
    const others = known.filter(([id]) => id !== fileId)
    return [...others, [fileId, base64] as const].slice(-MAX_PICTURES)
  })

/** Sends up to four items as one command, so that they wait together without a signal. Throws PortalError. */
export async function sendMaterial(
  lead: Lead,
  material: Material,
  chosen: readonly Captioned[],
): Promise<void> {
  const pictures = new Map(await queryClient.ensureQueryData(keptPictures()).catch((): Small => []))
  const things = chosen.map(({ choice, ...words }) => {
    const preview = pictures.get(pictureOf(choice) ?? 0) ?? null
    const given = { ...words, operationId: newOperationId(), preview, origin: location.origin }
    return toThing(material, choice, given)
  })
  const { id, name } = material
  await perform({ kind: 'material.send', lead: leadRef(lead), development: { id, name }, things })
  void keep<Readonly<Record<string, readonly string[]>>>(sentLast(), 'sent', (known) => ({
    ...known,
    [id]: chosen.map(({ choice }) => choice.key),
  }))
}

/**
 * Sends refused material again as the record has it now: newer files, captions with present prices. `message` is one of
 * its pending messages. Resolves with false if the record has none of it. Throws PortalError if the portal does not answer.
 */
export async function sendRenewed({ id }: Message, today: string): Promise<boolean> {
  const seq = seqOf(id)
  const materials = toMaterials(await queryClient.fetchQuery({ ...materialQuery(), staleTime: 0 }))
  let isFound = false
  await record((entries, stamp) => {
    const command = entries.find((entry) => entry.seq === seq)?.command
    if (command?.kind !== 'material.send') return entries
    const material = materials.find((each) => each.id === command.development.id)
    const things = command.things.flatMap((thing) => {
      const found = material && renewed(material, thing, today)
      if (!found) return []
      const { operationId } = thing
      const given = { ...found, operationId, preview: null, origin: location.origin }
      return [toThing(material, found.choice, given)]
    })
    isFound = things.length > 0
    return renewMaterial(entries, seq, { stamp, things })
  })
  return isFound
}

/** Drops refused material, with all messages that were sent together. Throws PortalError. */
export async function dropRefused({ id }: Message): Promise<void> {
  await record((entries) => discardEntry(entries, seqOf(id)))
}

/** Returns the file whose small picture shows an item; null if the item has none. */
function pictureOf(choice: Choice): number | null {
  if (choice.kind === 'photo') return choice.photo.id
  return choice.kind === 'plan' ? choice.plan.drawingId : null
}
