// The kind in which a file is sent, and how an image fits its box.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { attachmentKind, documentType, fitInBox, IMAGE_BOX } from '#domain/message/media.ts'

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

it.each([
  ['foto.jpg', 'image/jpeg', 'image'],
  ['foto.heic', 'image/heic', 'image'],
  ['planta.svg', 'image/svg+xml', null],
  ['tour.mp4', 'video/mp4', 'video'],
  ['recado.mp3', 'audio/mpeg', 'audio'],
  ['tabela.pdf', 'application/pdf', 'document'],
  ['proposta.doc', 'application/msword', 'document'],
  ['proposta.docx', DOCX, 'document'],
  ['TABELA.PDF', '', 'document'],
  ['proposta.docx', 'application/octet-stream', 'document'],
  ['planilha.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', null],
  ['vírus.exe', 'application/x-msdownload', null],
  ['página.pdf', 'text/html', null],
  ['sem-nada', '', null],
])('%s of type %j is sent as %s', (name, type, kind) => {
  expect(attachmentKind({ name, type })).toBe(kind)
})

it('a document without a type gets the type of its extension', () => {
  expect(documentType({ name: 'a.docx', type: '' })).toBe(DOCX)
})

it.each([
  [4000, 3000, 800, 600],
  [3000, 4000, 600, 800],
  [800, 800, 800, 800],
  [640, 480, 640, 480],
  [801, 1, 800, 1],
  [10_000, 2, 800, 1],
])('%i x %i becomes %i x %i', (width, height, toWidth, toHeight) => {
  expect(fitInBox({ width, height }, IMAGE_BOX)).toEqual({ width: toWidth, height: toHeight })
})

it('never enlarges, never exceeds the box, keeps the shape to the pixel', () => {
  const side = fc.integer({ min: 1, max: 20_000 })
  fc.assert(
    fc.property(side, side, (width, height) => {
      const fit = fitInBox({ width, height }, IMAGE_BOX)
      expect(fit.width).toBeLessThanOrEqual(Math.min(width, IMAGE_BOX))
      expect(fit.height).toBeLessThanOrEqual(Math.min(height, IMAGE_BOX))
      const scale = Math.min(1, IMAGE_BOX / width, IMAGE_BOX / height)
      expect(Math.abs(fit.width - width * scale)).toBeLessThan(1)
      expect(Math.abs(fit.height - height * scale)).toBeLessThan(1)
    }),
  )
})
