// /api/people: administrators find, export and erase a person's data (LGPD art. 18). Every route is a POST, so that no
// phone number appears in a URL.
import { Hono, type Context } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { PersonAsked } from '#domain/person-data.ts'
import { dialledDigits } from '#domain/phone/number-key.ts'
import { readNumbers } from '#domain/phone/read.ts'
import type { Clock } from '#server/clock.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Database, Query } from '#server/db/database.ts'
import type { RateLimit } from '#server/http/rate-limit.ts'
import { jsonOf, limitBody, signedInAdmin, type Member, type Signed } from '#server/http/requests.ts'
import type { Log } from '#server/log.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { createConversationFile } from './conversation/conversation-file.ts'
import { exportOf } from './export.ts'
import { createMediaRemoval } from './media-removal.ts'
import { createMediaSweep } from './media-sweep.ts'
import { createPersonStore } from './person-store.ts'

const MAX_BODY_BYTES = 1024

const Who = v.union([
  v.object({ number: v.pipe(v.string(), v.maxLength(60)) }),
  v.object({ contactId: v.pipe(v.number(), v.safeInteger()) }),
])
const Lead = v.object({ contactId: v.pipe(v.number(), v.safeInteger()) })
const Erase = v.object({ operationId: v.pipe(v.string(), v.uuid()) })

type PeopleParts = {
  db: Database
  clock: Clock
  log: Log
  timeZone: string
  storage: MediaStore
  memberOf: (request: Request) => Promise<Member>
  takeLock: (query: Query) => Promise<void>
  rateLimit: RateLimit
  /** Deletes the agents' external memory first, so that after a failure everything can be retried. */
  forgetElsewhere: (claims: Claims, addressesOf: () => Promise<string[]>) => Promise<void>
}

export function createPeople(parts: PeopleParts) {
  const { clock, storage } = parts
  const store = createPersonStore(parts.db, parts.takeLock)
  const removal = createMediaRemoval(parts)
  const writeConversation = createConversationFile(parts)
  const sweep = createMediaSweep({ ...parts, onNoted: removal.wake })
  const routes = new Hono<Signed<Member>>()
  routes.use(signedInAdmin(parts.memberOf), limitBody(MAX_BODY_BYTES))

  // Body {number} in any form or {contactId}; answers HeldData, with empty lists for an unknown person.
  routes.post('/find', async (context) => {
    const [claims, who] = await askedOf(context)
    return context.json(await store.find(claims, who))
  })
  // Same body; answers a zip.
  routes.post('/export', parts.rateLimit('export'), async (context) => {
    const [claims, who] = await askedOf(context)
    await store.noteExport(claims, who)
    return context.body(exportOf({ store, storage, nowMs: clock.now() }, claims, who), 200, {
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="dados-de-uma-pessoa.zip"',
    })
  })
  // Body {contactId}: one lead's conversation as a PDF.
  routes.post('/conversation', parts.rateLimit('export'), async (context) => {
    const { contactId } = read(Lead, await jsonOf(context))
    const { bytes } = await writeConversation(context.var.member, contactId)
    return context.body(bytes, 200, {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="conversa-lead-${contactId}.pdf"`,
    })
  })
  // Same body with {operationId}; answers {leads, messages, rows, files}.
  routes.post('/erase', async (context) => {
    const [claims, who, body] = await askedOf(context)
    const { operationId } = read(Erase, body)
    await parts.forgetElsewhere(claims, () => store.addresses(claims, who))
    const erased = await store.erase(claims, who, operationId)
    removal.wake()
    return context.json(erased)
  })
  return {
    routes,
    start: () => {
      const stops = [removal.start(), sweep.start()]
      return async () => {
        for (const stop of stops) await stop()
      }
    },
  }
}

async function askedOf(context: Context<Signed<Member>>): Promise<[Claims, PersonAsked, unknown]> {
  const body = await jsonOf(context)
  const who = read(Who, body)
  return [context.var.claims, 'number' in who ? { number: canonical(who.number) } : who, body]
}

/** The form in which the database finds the person. */
function canonical(written: string): string {
  const number = readNumbers(written).numbers[0]?.e164
  if (number !== undefined) return number
  // Earlier versions stored numbers in other forms, which must be found, too.
  if (dialledDigits(written) !== null) return written
  throw new PortalError('phone.invalid', 'Informe o número com DDD.', { status: 422 })
}

function read<T>(schema: v.GenericSchema<unknown, T>, body: unknown): T {
  const found = v.safeParse(schema, body)
  if (!found.success) throw new PortalError('request.invalid', 'O pedido não está completo.', { status: 422 })
  return found.output
}
