// Transcribes a lead's voice messages within the turn that answers them, so that the model reads text.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import type { Transcripts } from './transcripts.ts'
import type { TurnMaterial } from './turn.ts'

/** The portal gives up a slower transcript. The turn is leased for 150 seconds, of which the model may need 100. */
const MAX_WAIT_MS = 45_000

export type Voices = Pick<Transcripts, 'canTranscribe' | 'hear'>
type Parts = { db: Database; clock: Clock; voices: Voices | undefined }

/** Returns the turn with the transcripts, and whether a voice message could not be transcribed. */
export function createHearing({ db, clock, voices }: Parts) {
  return async (turn: TurnMaterial): Promise<TurnMaterial> => {
    const unheard = voices?.canTranscribe ? await voicesOf(db, turn.turnId) : []
    if (!voices || unheard.length === 0) return turn
    const ended = new AbortController()
    const late = clock.sleep(MAX_WAIT_MS, ended.signal).then(() => [false])
    try {
      const heard = await Promise.race([Promise.all(unheard.map(voices.hear)), late])
      return { ...turn, lines: await linesOf(db, turn.turnId), isUnheard: !heard.every(Boolean) }
    } finally {
      ended.abort()
    }
  }
}

async function voicesOf(db: Database, turnId: number): Promise<number[]> {
  const { rows } = await db.query<{ voices: number[] }>('select portal.turn_voices($1) as voices', [turnId])
  return rows[0]?.voices ?? []
}

async function linesOf(db: Database, turnId: number): Promise<TurnMaterial['lines']> {
  const { rows } = await db.query<{ lines: TurnMaterial['lines'] | null }>(
    'select portal.turn_lines($1) as lines',
    [turnId],
  )
  return rows[0]?.lines ?? []
}
