// Writes one lead's conversation as a PDF that can serve as proof. The same conversation gives the same bytes, and the
// audit log holds their SHA-256.
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database } from '#server/db/database.ts'
import { mediaId } from '#server/storage/media-store.ts'
import { type Line, TooLargeForPaper, writePaper, type Written } from './pdf.ts'
import { createTranscript, type ProofHead, type ProofRow, type Transcript } from './record.ts'

/** Maximum messages in a file. A longer conversation is cut to the newest ones, and the file says so. */
const MAX_MESSAGES = 20_000
const PAGE = 500

type Parts = { db: Database; clock: Clock; timeZone: string }
type Asker = { claims: Claims; accountId: string }

export function createConversationFile({ db, clock, timeZone }: Parts) {
  const ask = createAsking(db)
  /** Accounts whose file is being written, or waits for its turn. */
  const busy = new Set<string>()
  let turn: Promise<unknown> = Promise.resolve()

  async function* groupsOf(claims: Claims, head: ProofHead, transcript: Transcript): AsyncGenerator<Line[]> {
    yield transcript.beginning(Math.min(head.total, MAX_MESSAGES))
    let from = head.first
    for (let isFirst = true; ; isFirst = false) {
      const page = await ask.rows<{ row: ProofRow }>(
        claims,
        'select row from portal.proof_page($1, $2::jsonb, $3::jsonb, $4) as row',
        [head.id, JSON.stringify(from), JSON.stringify(head.last), PAGE],
      )
      // A page begins with the last message of the one before.
      const rows = page.slice(isFirst ? 0 : 1).map(({ row }) => row)
      yield rows.flatMap((row) => transcript.linesOf(row))
      const last = rows.at(-1)
      if (page.length < PAGE || !last) break
      from = { at: last.at, id: last.id }
    }
    yield transcript.filesList()
  }

  async function write({ claims }: Asker, contactId: number): Promise<Written> {
    const head = await ask.one<ProofHead>(claims, 'select portal.proof_head($1, $2) as answer', [
      contactId,
      MAX_MESSAGES,
    ])
    const transcript = createTranscript(head, timeZone)
    const { title, subject, ends } = transcript
    const written = await writePaper(clock, {
      title,
      subject,
      ends,
      atMs: head.last.at * 1000,
      groups: groupsOf(claims, head, transcript),
    }).catch((error: unknown) => {
      if (error instanceof TooLargeForPaper) throw tooLarge()
      throw error
    })
    await ask.one<unknown>(claims, 'select portal.note_proof($1, $2, $3) as answer', [
      head.id,
      transcript.count(),
      mediaId(written.bytes),
    ])
    return written
  }

  /**
   * Rejects with `lead.unknown`, `proof.empty`, `proof.busy` or `proof.too-large`. One file is written at a time; the
   * others wait.
   */
  return async (asker: Asker, contactId: number): Promise<Written> => {
    const { accountId } = asker
    if (busy.has(accountId)) throw isBusy()
    busy.add(accountId)
    const mine = turn.then(() => write(asker, contactId))
    turn = mine.catch(() => undefined)
    return mine.finally(() => busy.delete(accountId))
  }
}

const isBusy = () =>
  new PortalError('proof.busy', 'Outra conversa sua ainda está sendo preparada. Espere ela terminar.', {
    status: 409,
  })

const tooLarge = () =>
  new PortalError(
    'proof.too-large',
    'Esta conversa é grande demais para um arquivo. Exporte os dados da pessoa.',
    {
      status: 422,
    },
  )
