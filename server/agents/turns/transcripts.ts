// Voice messages as text: transcribed once, then stored with the message.
import { PortalError } from '#domain/errors.ts'
import { cleanText } from '#domain/clean-text.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { EngineError } from '#server/agents/engine/endpoint.ts'
import type { Transcriber } from '#server/agents/engine/transcriber.ts'

/** Maximum size of a voice message: about half an hour of speech. */
const MAX_BYTES = 16 * 1024 * 1024

export type TranscriptParts = {
  db: Database
  log: Log
  storage: MediaStore
  /** Null: the portal transcribes no voice messages. */
  transcriber: Transcriber | null
  /** Finds the media of a message. Rejects for callers who may not hear it; null claims mean the portal itself. */
  find: (claims: Claims | null, messageId: number) => Promise<{ mediaId: string; mimeType: string }>
}

export type Transcripts = ReturnType<typeof createTranscripts>

export function createTranscripts({ db, log, storage, transcriber, find }: TranscriptParts) {
  async function transcribe(
    model: Transcriber,
    messageId: number,
    found: { mediaId: string; mimeType: string },
  ) {
    const media = await storage.find(found.mediaId)
    if (!media || media.sizeBytes > MAX_BYTES || !found.mimeType.startsWith('audio/'))
      throw new PortalError('voice.unfit', 'Este áudio não pode ser transcrito.', { status: 422 })
    const bytes = new Uint8Array(await new Response(media.read()).arrayBuffer())
    try {
      const { text, seconds } = await model.transcribe({ bytes, mimeType: found.mimeType })
      const words = cleanText(text)
      await db.query('select portal.keep_transcript($1, $2, $3, $4)', [
        messageId,
        words,
        model.model,
        seconds,
      ])
      return words
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      log.warn('voice.not-transcribed', { messageId, fault: error.fault })
      throw new PortalError('voice.failed', 'Não foi possível transcrever agora. Tente de novo.', {
        status: 502,
        cause: error,
      })
    }
  }

  return {
    canTranscribe: transcriber !== null,

    /** Transcribes for an agent's answer. Returns whether a transcript exists now. */
    hear: async (messageId: number): Promise<boolean> => {
      if (!transcriber) return false
      try {
        await transcribe(transcriber, messageId, await find(null, messageId))
        return true
      } catch (error) {
        if (!(error instanceof PortalError)) throw error
        return false
      }
    },

    /**
     * The transcript of a voice message, '' for a silent one. Raises `media.unknown`, `media.unavailable`,
     * `voice.unfit`, `voice.failed` and `agent.no-model`.
     */
    transcript: async (claims: Claims, messageId: number): Promise<string> => {
      const found = await find(claims, messageId)
      const { rows } = await db.query<{ body: string }>(
        'select body from portal.transcripts where message_id = $1',
        [messageId],
      )
      if (rows[0]) return rows[0].body
      if (!transcriber)
        throw new PortalError('agent.no-model', 'Sem motor: não há um modelo que transcreva.', {
          status: 409,
        })
      return transcribe(transcriber, messageId, found)
    },
  }
}
