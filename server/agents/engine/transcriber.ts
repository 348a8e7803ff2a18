// What is heard in a voice message, by the endpoint of the agents' model. Neither sound nor words are ever in a log or an error.
import * as v from 'valibot'
import { EngineError, sendToModel, type EndpointOptions } from './engine.ts'

export type Transcriber = {
  model: string
  /** Rejects with EngineError only. */
  transcribe(voice: { bytes: Uint8Array; mimeType: string }): Promise<string>
}

/** A long voice message takes its time. */
const LIMIT_MS = 60_000
const MOST_WORDS = 10_000

const Answer = v.object({ text: v.string() })

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
        parse(await sendToModel(options, '/audio/transcriptions', { body, limitMs: LIMIT_MS })),
      )
      if (!answer.success) throw new EngineError('unreadable')
      return answer.output.text.trim().slice(0, MOST_WORDS)
    },
  }
}

/** Endpoints go by the name of the file. */
const EXTENSION: Record<string, string> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
