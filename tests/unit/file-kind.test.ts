// A file's kind by its bytes, and the name under which it is sent.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AttachmentKind } from '#domain/message/media.ts'
import { fileKindOf, safeFileName, withExtension } from '#server/whatsapp/file-kind.ts'
import * as files from '#tests/support/files.ts'
import { table } from '#tests/support/table.ts'

const TAKEN: [string, Buffer, string, AttachmentKind, string][] = [
  ['PNG', files.PNG, 'a.png', 'image', 'image/png'],
  ['JPEG', files.JPEG, 'a.jpg', 'image', 'image/jpeg'],
  ['JPEG by another name', files.JPEG, 'a.pdf', 'image', 'image/jpeg'],
  ['GIF', files.GIF, 'a.gif', 'image', 'image/gif'],
  ['WebP', files.WEBP, 'a.webp', 'image', 'image/webp'],
  ['MP4', files.MP4, 'a.mp4', 'video', 'video/mp4'],
  ["an iPhone's video", files.QUICKTIME, 'IMG_1.MOV', 'video', 'video/mp4'],
  ['3GP', files.THREEGP, 'a.3gp', 'video', 'video/3gpp'],
  ['M4A', files.M4A, 'a.m4a', 'audio', 'audio/mp4'],
  ['MP3 with a tag', files.MP3, 'a.mp3', 'audio', 'audio/mpeg'],
  ['MP3 without one', files.BARE_MP3, 'a.mp3', 'audio', 'audio/mpeg'],
  ['AAC', files.AAC, 'a.aac', 'audio', 'audio/aac'],
  ['AMR', files.AMR, 'a.amr', 'audio', 'audio/amr'],
  ['Ogg', files.OGG, 'a.ogg', 'audio', 'audio/ogg'],
  ["Firefox's voice", files.OGG, '', 'voice', 'audio/ogg'],
  ["Chrome's voice", files.WEBM, '', 'voice', 'audio/webm'],
  ["Safari's voice", files.MP4, '', 'voice', 'audio/mp4'],
  ['WAV as voice', files.WAV, '', 'voice', 'audio/wav'],
  ['PDF', files.PDF, 'a.pdf', 'document', 'application/pdf'],
  ['Word', files.DOC, 'Proposta.DOC', 'document', 'application/msword'],
  [
    'new Word',
    files.DOCX,
    'a.docx',
    'document',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
]

test.each(TAKEN)('%s is accepted', (...[, bytes, name, kind, mimeType]) => {
  expect(fileKindOf(bytes, name, kind)).toMatchObject({ mimeType })
})

const REFUSED: [string, Buffer, string, AttachmentKind][] = [
  ['a program called a picture', files.EXE, 'foto.jpg', 'image'],
  ['a program called a document', files.EXE, 'proposta.pdf', 'document'],
  ['a drawing that can run', files.SVG, 'a.svg', 'image'],
  ['a page', files.HTML, 'a.pdf', 'document'],
  ['a spreadsheet', files.XLSX, 'a.xlsx', 'document'],
  ['a spreadsheet called Word', files.XLSX, 'a.docx', 'document'],
  ['an old spreadsheet', files.DOC, 'a.xls', 'document'],
  ['a picture that phones do not show', files.HEIC, 'a.heic', 'image'],
  ['a picture as a document', files.PNG, 'a.pdf', 'document'],
  ['a video as a picture', files.MP4, 'a.mp4', 'image'],
  ['a video that phones do not play', files.WEBM, 'a.webm', 'video'],
  ['a sound that phones do not play', files.WAV, 'a.wav', 'audio'],
  ['nothing', Buffer.alloc(0), 'a.png', 'image'],
  ['text', Buffer.from('olá'), 'a.pdf', 'document'],
]

test.each(REFUSED)('%s is refused', (...[, bytes, name, kind]) => {
  expect(fileKindOf(bytes, name, kind)).toBeNull()
})

table('the name %j becomes %j', (given) => safeFileName(given, 'pdf'), [
  ['proposta.pdf', 'proposta.pdf'],
  ['Tabela de preços – março.PDF', 'Tabela de preços – março.pdf'],
  ['foto', 'foto.pdf'],
  ['', 'arquivo.pdf'],
  ['...', 'arquivo.pdf'],
  ['../../etc/passwd', 'passwd.pdf'],
  ['C:\\Users\\ana\\proposta.pdf', 'proposta.pdf'],
  ['fatura\u202Efdp.exe', 'faturafdp.pdf'],
  ['uma\nlinha\u0000.pdf', 'umalinha.pdf'],
  ['a<b>:"|?*.pdf', 'ab.pdf'],
  ['vírus.exe', 'vírus.pdf'],
  ['x'.repeat(500), `${'x'.repeat(100)}.pdf`],
])

const named = ([name, mimeType]: readonly [string, string]) => withExtension(name, mimeType)

table('the file %j is sent as %j', named, [
  [['planta', 'application/pdf'], 'planta.pdf'],
  [['planta.v2.final', 'application/pdf'], 'planta.v2.final'],
  [['foto.jpg', 'image/jpeg'], 'foto.jpg'],
  [['', 'image/png'], 'arquivo.png'],
  [['', 'audio/ogg; codecs=opus'], 'arquivo.ogg'],
  [['tabela', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'], 'tabela.xlsx'],
  [['dados', 'application/x-estranho'], 'dados.bin'],
])

test('no name contains a path or hides its type', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (given) => {
      const name = safeFileName(given, 'pdf')
      expect(name).toMatch(/^[^./\\\p{Cc}][^/\\\p{Cc}\p{Cf}]*\.pdf$/u)
      expect(Array.from(name).length).toBeLessThanOrEqual(104)
    }),
  )
})
