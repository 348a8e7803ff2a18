// Reads a lead's details beyond its card and stores them for offline use; saves edits on the device first.
import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { type LeadFields, LOSS_REASONS, type LossReason } from '#domain/lead/fields.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { keys } from '#data/keys.ts'
import { leadRef, perform } from '#data/operation.ts'

const text = v.nullable(v.string())
const isReason = (word: unknown): word is LossReason => typeof word === 'string' && word in LOSS_REASONS
const timeMs = v.pipe(
  v.string(),
  v.transform((iso) => Date.parse(iso)),
)

const SheetRow = v.pipe(
  v.object({
    source: v.string(),
    campaign: text,
    development: text,
    email: text,
    tags: v.array(v.string()),
    value: v.nullable(v.number()),
    /** Missing if the server is older than the app. */
    ad: v.nullish(v.object({ title: text, clickId: text, adId: text, link: text }), null),
    lossReason: v.nullable(v.custom<LossReason>(isReason)),
    lostAt: v.nullable(timeMs),
    knownTags: v.array(v.string()),
    numbers: v.optional(v.array(v.string()), []),
    /** Missing if the server is older than the app. */
    interests: v.optional(v.array(v.object({ id: v.number(), name: v.string(), origin: v.string() })), []),
    /** Files of developments that the lead got, newest first. Missing if the server is older than the app. */
    material: v.optional(
      v.array(v.object({ id: v.number(), development: v.string(), label: v.string(), at: v.number() })),
      [],
    ),
    files: v.array(
      v.object({
        id: v.number(),
        kind: v.picklist(['image', 'video', 'document']),
        at: v.number(),
        isOwn: v.boolean(),
        name: text,
        size: v.nullable(v.number()),
      }),
    ),
    path: v.array(
      v.pipe(
        v.object({ at: timeMs, kind: v.string(), word: text, by: text }),
        v.transform(({ at, ...step }) => ({ ...step, atMs: at })),
      ),
    ),
  }),
  v.transform(({ lossReason, lostAt, ...sheet }) => ({
    ...sheet,
    loss_reason: lossReason,
    lostAtMs: lostAt,
  })),
)

/** `isPartial`: the device made this sheet from its own data, so a field without a value is unknown. */
export type LeadSheet = v.InferOutput<typeof SheetRow> & { isPartial?: true }
export type PathStep = LeadSheet['path'][number]
export type SharedFile = LeadSheet['files'][number]

const KEPT = { kind: 'lead-sheet', most: 50, version: 3 }

export function leadSheetQuery(contactId: number) {
  return queryOptions({
    queryKey: keys.leadSheet(contactId),
    queryFn: cachedOffline(KEPT, async ({ signal }) =>
      v.parse(SheetRow, await rpc('lead_sheet', { p_contact_id: contactId }, signal)),
    ),
    staleTime: 0,
  })
}

export type SentMaterial = LeadSheet['material'][number]

/** Adds a development to the lead's interests, or removes it. Throws PortalError. */
export async function changeInterest(
  lead: Lead,
  { id, name }: { id: number; name: string },
  isAdded: boolean,
): Promise<void> {
  const kind = isAdded ? 'interest.add' : 'interest.remove'
  await perform({ kind, lead: leadRef(lead), name, given: { developmentId: id } })
}

/**
 * `base` has the values from when editing began. The server reports a conflict if another device changed them since.
 */
export async function saveFields(
  lead: Lead,
  fields: Partial<LeadFields>,
  base: Partial<LeadFields>,
): Promise<void> {
  await perform({ kind: 'lead.fields', lead: leadRef(lead), given: { fields, base } })
}
