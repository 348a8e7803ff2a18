// Files attached in a conversation: sent in order and once, kept when they do not go, seen by nobody else. INTERACTIONS 8; PRODUCT.md 4.4.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  attachFiles,
  attachmentsOf,
  attachVoice,
  detachFile,
  forgetRefused,
  hasAttached,
  sendAttached,
  settleAttached,
  stopUpload,
} from '#data/attachments.ts'
import type { OutgoingFile } from '#data/sending.ts'
import { PortalError } from '#domain/errors.ts'
import { setOwner } from '#offline/owner.ts'
import { eventually } from '#tests/support/eventually.ts'
import { lead, message } from '#tests/support/make-app.ts'

type Way = { onProgress: (ratio: number) => void; signal: AbortSignal }
const { sendFile, shrinkImage } = vi.hoisted(() => ({
  sendFile: vi.fn<(to: unknown, file: OutgoingFile, way: Way) => Promise<unknown>>(),
  shrinkImage: vi.fn<(file: Blob) => Promise<unknown>>(),
}))
vi.mock('#data/sending.ts', () => ({ sendFile }))
vi.mock('#data/shrink-image.ts', () => ({ shrinkImage }))

const offline = new PortalError('network.offline', 'Sem conexão.', { status: 0 })
const refused = new PortalError('media.unsupported', 'Tipo de arquivo não suportado.', { status: 415 })
const NO_WORDS = { caption: '', quotedMessageId: null }
const file = (name: string, type = 'application/pdf') => new File(['bytes'], name, { type })

/** Each test in a conversation of its own. */
let rogerio = lead()
beforeEach(() => {
  setOwner('ana')
  rogerio = lead()
  sendFile.mockReset().mockImplementation(() => Promise.resolve(message()))
  shrinkImage.mockReset()
})
afterEach(() => setOwner(null))

const see = () => attachmentsOf(rogerio.id)
const names = () => see().list.map((attachment) => attachment.file.fileName)
const sentNames = () => sendFile.mock.calls.map(([, { fileName }]) => fileName)

it('sends in order, the words with the first, and nothing stays', async () => {
  await attachFiles(rogerio.id, [file('a.pdf'), file('b.pdf')])
  await sendAttached(rogerio, { caption: 'Tabela', quotedMessageId: 5 })
  expect(
    sendFile.mock.calls.map(([, { fileName, caption, quotedMessageId }]) => [
      fileName,
      caption,
      quotedMessageId,
    ]),
  ).toEqual([
    ['a.pdf', 'Tabela', 5],
    ['b.pdf', '', null],
  ])
  expect(names()).toEqual([])
})

it('a second press while it goes up sends nothing twice', async () => {
  await attachFiles(rogerio.id, [file('a.pdf'), file('b.pdf')])
  await Promise.all([sendAttached(rogerio, NO_WORDS), sendAttached(rogerio, NO_WORDS)])
  expect(sentNames()).toEqual(['a.pdf', 'b.pdf'])
})

it('what is attached while others go up waits for its own press', async () => {
  await attachFiles(rogerio.id, [file('a.pdf')])
  let arrive: () => void = () => undefined
  sendFile.mockImplementation(() => new Promise((resolve) => (arrive = () => resolve(message()))))
  const sending = sendAttached(rogerio, NO_WORDS)
  await attachFiles(rogerio.id, [file('b.pdf')])
  arrive()
  await sending
  expect(sentNames()).toEqual(['a.pdf'])
  expect(names()).toEqual(['b.pdf'])
})

it('without a signal it stays with its words, says so, and what comes after it waits', async () => {
  await attachFiles(rogerio.id, [file('a.pdf'), file('b.pdf')])
  sendFile.mockRejectedValueOnce(offline)
  await sendAttached(rogerio, { caption: 'Tabela', quotedMessageId: null })
  expect(sentNames()).toEqual(['a.pdf'])
  expect(see().list).toMatchObject([
    { file: { fileName: 'a.pdf', caption: 'Tabela' }, problem: 'Sem conexão.', ratio: null },
    { file: { fileName: 'b.pdf' }, problem: null, isWanted: false },
  ])
  const [first] = see().list
  await sendAttached(rogerio, NO_WORDS)
  // The server knows the second try by the operation of the first.
  expect(sendFile.mock.calls[1]?.[1]).toMatchObject({
    operationId: first?.file.operationId,
    caption: 'Tabela',
  })
  expect(names()).toEqual([])
})

it('one that is refused stays, and those after it go', async () => {
  await attachFiles(rogerio.id, [file('a.pdf'), file('b.pdf')])
  sendFile.mockRejectedValueOnce(refused)
  await sendAttached(rogerio, NO_WORDS)
  expect(sentNames()).toEqual(['a.pdf', 'b.pdf'])
  expect(see().list).toMatchObject([
    { file: { fileName: 'a.pdf' }, problem: 'Tipo de arquivo não suportado.' },
  ])
})

/** Goes up until it is stopped. */
const untilStopped = (_to: unknown, _file: unknown, { onProgress, signal }: Way) =>
  new Promise((_, reject: (reason: unknown) => void) => {
    onProgress(0.4)
    signal.addEventListener('abort', () => reject(signal.reason))
  })

it('shows how far it is; stopped by the person it stays without a fault, and the next goes', async () => {
  await attachFiles(rogerio.id, [file('a.pdf'), file('b.pdf')])
  sendFile.mockImplementationOnce(untilStopped)
  const sending = sendAttached(rogerio, NO_WORDS)
  await eventually(() => expect(see().list[0]?.ratio).toBe(0.4))
  stopUpload(see().list[0]!)
  await sending
  expect(see().list).toMatchObject([{ file: { fileName: 'a.pdf' }, problem: null, ratio: null }])
  expect(sentNames()).toEqual(['a.pdf', 'b.pdf'])
})

it('taken away while it goes up it is stopped and gone', async () => {
  await attachFiles(rogerio.id, [file('a.pdf')])
  sendFile.mockImplementationOnce(untilStopped)
  const sending = sendAttached(rogerio, NO_WORDS)
  await eventually(() => expect(see().list[0]?.ratio).toBe(0.4))
  detachFile(rogerio.id, see().list[0]!)
  await sending
  expect(names()).toEqual([])
})

it('an answer lost on the way: the conversation has it, so it is attached no more', async () => {
  await attachFiles(rogerio.id, [file('a.pdf'), file('b.pdf')])
  sendFile.mockRejectedValueOnce(offline)
  await sendAttached(rogerio, NO_WORDS)
  settleAttached(rogerio.id, new Set([null, see().list[0]!.file.operationId]))
  expect(names()).toEqual(['b.pdf'])
})

it('takes what may be sent and says why others were not', async () => {
  await attachFiles(rogerio.id, [file('página.html', 'text/html')])
  expect(see()).toMatchObject({ list: [], preparing: 0, refused: 'type' })
  await attachFiles(rogerio.id, [new File([], 'vazio.pdf', { type: 'application/pdf' })])
  expect(see().refused).toBe('file')
  shrinkImage.mockRejectedValueOnce(new Error('no picture'))
  await attachFiles(rogerio.id, [file('quebrada.jpg', 'image/jpeg')])
  expect(see().refused).toBe('file')
  forgetRefused(rogerio.id)
  expect(see()).toMatchObject({ list: [], refused: null })
})

it('a picture is sent as it was drawn, under its own name', async () => {
  const drawn = new Blob(['pequena'], { type: 'image/jpeg' })
  shrinkImage.mockResolvedValue({ blob: drawn, width: 800, height: 600 })
  await attachFiles(rogerio.id, [file('IMG 12.HEIC', 'image/heic')])
  expect(see().list[0]?.file).toMatchObject({
    kind: 'image',
    fileName: 'IMG 12.jpg',
    width: 800,
    height: 600,
    file: drawn,
  })
})

it('takes ten at most', async () => {
  await attachFiles(
    rogerio.id,
    Array.from({ length: 12 }, (_, index) => file(`${index}.pdf`)),
  )
  await attachFiles(rogerio.id, [file('mais.pdf')])
  expect(names()).toHaveLength(10)
})

it('a voice message knows how long it is', () => {
  attachVoice(rogerio.id, { file: new Blob(['som']), seconds: 7 })
  expect(see().list).toMatchObject([{ file: { kind: 'voice', seconds: 7 } }])
})

it('another person on the same device sees nothing of it', async () => {
  await attachFiles(rogerio.id, [file('a.pdf')])
  expect(hasAttached()).toBe(true)
  setOwner('bia')
  expect(names()).toEqual([])
  expect(hasAttached()).toBe(false)
  setOwner('ana')
  expect(names()).toEqual(['a.pdf'])
})
