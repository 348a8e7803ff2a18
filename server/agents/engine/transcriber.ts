// Transcribes a voice message through the endpoint of the agents' model. Neither sound nor text reaches a log
// or an error.
import * as v from 'valibot'
import { EngineError, sendToModel, type EndpointOptions } from './endpoint.ts'
import { parseJson } from './json.ts'

export type Transcriber = {
  model: string
  /**
   * Returns the text, and the seconds that the endpoint counted; null if it does not say. Rejects only with
   * EngineError.
   */
  transcribe(voice: {
    bytes: Uint8Array
    mimeType: string
  }): Promise<{ text: string; seconds: number | null }>
}

/** A long voice message takes the endpoint some time. */
const TIMEOUT_MS = 60_000
const MAX_WORDS = 10_000

/** Endpoints count usage in seconds or in tokens. */
const Answer = v.object({
  text: v.string(),
  usage: v.fallback(v.object({ seconds: v.nullable(v.pipe(v.number(), v.minValue(0))) }), { seconds: null }),
})

export function createTranscriber(options: EndpointOptions & { model: string }): Transcriber {
  return {
    model: options.model,
    transcribe: async ({ bytes, mimeType }) => {
      const body = new FormData()
      const type = mimeType.split(';')[0] ?? mimeType
      body.append('file', new Blob([Buffer.from(bytes)], { type }), `voz.${EXTENSION[type] ?? 'ogg'}`)
      body.append('model', options.model)
      body.append('language', 'pt')
      const answer = v.safeParse(
        Answer,
        parseJson(await sendToModel(options, '/audio/transcriptions', { body, limitMs: TIMEOUT_MS })),
      )
      if (!answer.success) throw new EngineError('unreadable')
      const { text, usage } = answer.output
      return { text: text.trim().slice(0, MAX_WORDS), seconds: usage.seconds }
    },
  }
}

/** Endpoints detect the format by the file name. */
const EXTENSION: Record<string, string> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
}
