// Files that WAHA has downloaded. Each is at a URL of WAHA for three minutes.
import type { Instance, Json, Message, SimulatedState } from '../state.ts'
import { isJson } from '../wire/errors.ts'

const LIFE_MS = 180_000
/** What the server believes its address to be. */
const HOST = 'http://localhost:3000'
const EXTENSIONS: Record<string, string> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'audio/ogg': 'oga',
  'audio/mpeg': 'mpga',
  'video/mp4': 'mp4',
  'application/pdf': 'pdf',
}

export type Files = ReturnType<typeof createFiles>

export function createFiles({ clock }: Pick<SimulatedState, 'clock'>) {
  const kept = new Map<string, { message: Message; untilMs: number }>()
  return {
    /** Downloads the file of a message; null if it has none. */
    download: (instance: Instance, message: Message): Json | null => {
      const about = fileIn(message.content)
      if (about === null) return null
      const mimetype = String(about['mimetype'])
      const filename = about['fileName'] ?? null
      // WhatsApp no longer has the file.
      if (message.base64 === null) return { url: null, filename, mimetype, error: { data: 'Gone' } }
      const name = `${message.key.id}.${EXTENSIONS[mimetype.split(';')[0] ?? ''] ?? 'bin'}`
      const path = `/api/files/${instance.name}/${name}`
      kept.set(path, { message, untilMs: clock.now() + LIFE_MS })
      return { url: HOST + path, filename, mimetype }
    },
    find: (path: string): { bytes: Buffer; mimetype: string } | null => {
      const file = kept.get(path)
      if (file === undefined || clock.now() >= file.untilMs) return null
      const mimetype = String(fileIn(file.message.content)?.['mimetype'])
      return { bytes: Buffer.from(file.message.base64 ?? '', 'base64'), mimetype }
    },
  }
}

/** Finds a message's file, also inside wrappers. */
function fileIn(content: Json | null): Json | null {
  for (const inner of Object.values(content ?? {})) {
    if (!isJson(inner)) continue
    if (typeof inner['mimetype'] === 'string' && 'directPath' in inner) return inner
    const found = isJson(inner['message']) ? fileIn(inner['message']) : null
    if (found) return found
  }
  return null
}
