// Streams all data of one person as one zip file of JSON lists and media (LGPD art. 18).
import { formatDateTime } from '#domain/format.ts'
import { PLACES, type PersonAsked } from '#domain/person-data.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import type { HeldRow, PersonStore } from './person-store.ts'
import { zipOf, type ZipEntry } from './zip.ts'

type Sources = { store: PersonStore; storage: MediaStore; nowMs: number }

/** The zip has no file for an empty list. */
export function exportOf(sources: Sources, claims: Claims, who: PersonAsked): ReadableStream<Uint8Array> {
  return zipOf(entriesOf(sources, claims, who))
}

async function* entriesOf(
  { store, storage, nowMs }: Sources,
  claims: Claims,
  who: PersonAsked,
): AsyncGenerator<ZipEntry> {
  yield { name: 'LEIA-ME.txt', bytes: [Buffer.from(readMe(nowMs))] }
  const files = new Map<string, string>()
  for (const [place, { file }] of Object.entries(PLACES)) {
    const rows = store.read(claims, who, place)
    const first = await rows.next()
    if (first.done === true) continue
    yield { name: `${file}.json`, bytes: listOf(first.value, rows, (row) => noteMedia(row, files)) }
  }
  for (const [mediaId, name] of files) {
    const stored = await storage.find(mediaId)
    if (stored) yield { name, bytes: stored.read() }
  }
}

async function* listOf(first: HeldRow, rest: AsyncIterable<HeldRow>, note: (row: HeldRow) => void) {
  note(first)
  yield Buffer.from(`[\n${JSON.stringify(first.data)}`)
  for await (const row of rest) {
    note(row)
    yield Buffer.from(`,\n${JSON.stringify(row.data)}`)
  }
  yield Buffer.from('\n]\n')
}

/** Names each file after its message, because a file name that a lead sent may contain a path. */
function noteMedia({ id, data }: HeldRow, files: Map<string, string>) {
  const content = data['content']
  if (typeof content !== 'object' || content === null || !('mediaId' in content)) return
  const { mediaId } = content
  if (typeof mediaId !== 'string' || files.has(mediaId)) return
  files.set(mediaId, `midia/mensagem-${id}.${extensionOf(content)}`)
}

function extensionOf(content: object): string {
  const fileName = 'fileName' in content && typeof content.fileName === 'string' ? content.fileName : ''
  const mimeType = 'mimeType' in content && typeof content.mimeType === 'string' ? content.mimeType : ''
  const [, named] = /\.([a-z0-9]{1,5})$/i.exec(fileName) ?? []
  const [, typed] = /^[a-z]+\/([a-z0-9]{1,5})(;|$)/i.exec(mimeType) ?? []
  return (named ?? typed ?? 'bin').toLowerCase()
}

const readMe = (nowMs: number) => `Tudo o que o portal guarda sobre uma pessoa, em ${formatDateTime(nowMs)}.

Cada arquivo .json é uma lista:
${Object.values(PLACES)
  .map(({ file, label }) => `- ${file}.json: ${label}`)
  .join('\n')}
- midia/: as fotos, os áudios e os documentos das mensagens, pelo número da mensagem

O que está vazio não aparece.
`
