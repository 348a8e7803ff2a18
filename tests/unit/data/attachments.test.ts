// Attachments of a conversation: sent in order and once, kept after a failure, invisible to other users.
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { attachmentsOf, mayLoseFiles } from '#data/messages/draft-attachments.ts'
import {
  attachFiles,
  attachVoice,
  detachFile,
  forgetRefused,
  restoreDraftAttachments,
  settleDraftAttachments,
} from '#features/conversation/ground/attachments-data.ts'
import { keys } from '#data/keys.ts'
import { queryClient } from '#data/query-client.ts'
import {
  captionTaker,
  retryDraftAttachment,
  sendDraftAttachments,
  stopUpload,
} from '#data/messages/send-attachments.ts'
import { PortalError } from '#domain/errors.ts'
import { forgetMemories, setOwner } from '#offline/owner.ts'
import type { OutgoingFile } from '#offline/stores.ts'
import { wipe } from '#offline/wipe.ts'
import { eventually } from '#tests/support/eventually.ts'
import { createLatch } from '#tests/support/latch.ts'
import { lead, message } from '#tests/support/make-app.ts'

type Way = { onProgress: (ratio: number) => void; signal: AbortSignal }
const { sendFile, shrinkImage } = vi.hoisted(() => ({
  sendFile: vi.fn<(to: unknown, file: OutgoingFile, way: Way) => Promise<unknown>>(),
  shrinkImage: vi.fn<(file: Blob) => Promise<unknown>>(),
}))
vi.mock('#data/messages/sending.ts', () => ({ sendFile }))
vi.mock('#data/messages/shrink-image.ts', () => ({ shrinkImage }))

const offline = new PortalError('network.offline', 'Sem conexão.', { status: 0 })
const refused = new PortalError('media.unsupported', 'Tipo de arquivo não suportado.', { status: 415 })
const NOT_SENT = 'Não foi enviado. Toque no anexo para tentar de novo.'
const NO_WORDS = { caption: '', quotedMessageId: null }
const file = (name: string, type = 'application/pdf') => new File(['bytes'], name, { type })

/** Each test has its own conversation. */
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

it('sends in order, the text with the first, and removes all', async () => {
  await attachFiles(rogerio.id, [file('a.pdf'), file('b.pdf')])
  await sendDraftAttachments(rogerio, { caption: 'Tabela', quotedMessageId: 5 }).isSent
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

it('a second press during the upload sends nothing twice', async () => {
  await attachFiles(rogerio.id, [file('a.pdf'), file('b.pdf')])
  await Promise.all([
    sendDraftAttachments(rogerio, NO_WORDS).isSent,
    sendDraftAttachments(rogerio, NO_WORDS).isSent,
  ])
  expect(sentNames()).toEqual(['a.pdf', 'b.pdf'])
})

it('a file attached during an upload waits for its own send', async () => {
  await attachFiles(rogerio.id, [file('a.pdf')])
  let arrive: () => void = () => undefined
  sendFile.mockImplementation(() => new Promise((resolve) => (arrive = () => resolve(message()))))
  const sending = sendDraftAttachments(rogerio, NO_WORDS).isSent
  await attachFiles(rogerio.id, [file('b.pdf')])
  arrive()
  await sending
  expect(sentNames()).toEqual(['a.pdf'])
  expect(names()).toEqual(['b.pdf'])
})

it('offline it stays with its caption and an error, and later ones wait', async () => {
  await attachFiles(rogerio.id, [file('a.pdf'), file('b.pdf')])
  sendFile.mockRejectedValueOnce(offline)
  await sendDraftAttachments(rogerio, { caption: 'Tabela', quotedMessageId: null }).isSent
  expect(sentNames()).toEqual(['a.pdf'])
  expect(see().list).toMatchObject([
    { file: { fileName: 'a.pdf', caption: 'Tabela' }, problem: 'Sem conexão.', ratio: null },
    { file: { fileName: 'b.pdf' }, problem: 'Sem conexão.', ratio: null, isWanted: false },
  ])
  const [first] = see().list
  await sendDraftAttachments(rogerio, NO_WORDS).isSent
  // The operation id of the first attempt lets the server recognise the second.
  expect(sendFile.mock.calls[1]?.[1]).toMatchObject({
    operationId: first?.file.operationId,
    caption: 'Tabela',
  })
  expect(names()).toEqual([])
})

it('a failed file keeps its caption: a text typed later does not become its caption', async () => {
  await attachFiles(rogerio.id, [file('a.pdf')])
  sendFile.mockRejectedValueOnce(offline)
  await sendDraftAttachments(rogerio, { caption: 'Tabela', quotedMessageId: 5 }).isSent
  expect(captionTaker(see().list)).toBeUndefined()

  await attachFiles(rogerio.id, [file('b.pdf')])
  expect(captionTaker(see().list)?.file.fileName).toBe('b.pdf')
  await sendDraftAttachments(rogerio, { caption: 'Planta', quotedMessageId: 6 }).isSent
  expect(sendFile.mock.calls.slice(1).map(([, sent]) => sent)).toMatchObject([
    { fileName: 'a.pdf', caption: 'Tabela', quotedMessageId: 5 },
    { fileName: 'b.pdf', caption: 'Planta', quotedMessageId: 6 },
  ])
})

it('a retry sends the failed files, and files attached since wait for their text', async () => {
  await attachFiles(rogerio.id, [file('a.pdf')])
  sendFile.mockRejectedValueOnce(offline)
  await sendDraftAttachments(rogerio, NO_WORDS).isSent
  await attachFiles(rogerio.id, [file('b.pdf')])
  await retryDraftAttachment(rogerio)
  expect(sentNames()).toEqual(['a.pdf', 'a.pdf'])
  expect(names()).toEqual(['b.pdf'])
})

it('audio has no caption: the text goes with the file that does', async () => {
  attachVoice(rogerio.id, { file: new Blob(['som']), seconds: 7 })
  expect(captionTaker(see().list)).toBeUndefined()
  await attachFiles(rogerio.id, [file('a.pdf')])
  await sendDraftAttachments(rogerio, { caption: 'Tabela', quotedMessageId: null }).isSent
  expect(sendFile.mock.calls.map(([, { kind, caption }]) => [kind, caption])).toEqual([
    ['voice', ''],
    ['document', 'Tabela'],
  ])
})

/** The app after a reload, with empty memory. */
async function reloaded() {
  vi.resetModules()
  const [owner, attached, attachments] = await Promise.all([
    import('#offline/owner.ts'),
    import('#data/messages/draft-attachments.ts'),
    import('#features/conversation/ground/attachments-data.ts'),
  ])
  owner.setOwner('ana')
  await attachments.restoreDraftAttachments(rogerio.id)
  return { ...attached, ...attachments, list: attached.attachmentsOf(rogerio.id).list }
}

it('a reload loses neither a file nor its caption, and restores no other file', async () => {
  await attachFiles(
    rogerio.id,
    ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf'].map((name) => file(name)),
  )
  attachVoice(rogerio.id, { file: new Blob(['som'], { type: 'audio/ogg' }), seconds: 7 })
  expect(mayLoseFiles()).toBe(true)
  sendFile.mockResolvedValueOnce(message()).mockRejectedValueOnce(offline)
  await sendDraftAttachments(rogerio, { caption: 'Com o primeiro', quotedMessageId: null }).isSent
  await attachFiles(rogerio.id, [file('e.pdf')])
  sendFile.mockRejectedValueOnce(offline)
  await sendDraftAttachments(rogerio, { caption: 'Tabela', quotedMessageId: 5 }).isSent
  detachFile(rogerio.id, see().list[1]!)
  await attachFiles(rogerio.id, [file('f.pdf')])
  await eventually(() => expect(mayLoseFiles()).toBe(false))

  const { list, settleDraftAttachments: settle } = await reloaded()
  expect(list).toMatchObject([
    { file: { fileName: 'b.pdf', caption: '' } },
    { file: { fileName: 'd.pdf' } },
    { file: { kind: 'voice', seconds: 7, operationId: see().list[2]!.file.operationId } },
    { file: { fileName: 'e.pdf', caption: 'Tabela', quotedMessageId: 5 } },
    { file: { fileName: 'f.pdf' } },
  ])
  expect(captionTaker(list)?.file.fileName).toBe('f.pdf')
  expect(list.map(({ problem }) => problem)).toEqual([NOT_SENT, NOT_SENT, NOT_SENT, NOT_SENT, null])
  expect(await list[0]?.file.file.text()).toBe('bytes')
  expect(list[2]?.file.file.type).toBe('audio/ogg')

  settle(rogerio.id, new Set(list.map(({ file: { operationId } }) => operationId)))
  await eventually(async () => expect((await reloaded()).list).toEqual([]))
})

it("'Sair' deletes stored files, and another person never sees them", async () => {
  await attachFiles(rogerio.id, [file('a.pdf')])
  await eventually(() => expect(mayLoseFiles()).toBe(false))
  setOwner('bia')
  await restoreDraftAttachments(rogerio.id)
  expect(names()).toEqual([])
  await wipe('ana')
  expect((await reloaded()).list).toEqual([])
})

it("'Sair' deletes files in memory and files being stored, for the same person too", async () => {
  const large = file('a.pdf')
  const reading = createLatch()
  large.arrayBuffer = async () => {
    await reading.opened
    return new ArrayBuffer(5)
  }
  await attachFiles(rogerio.id, [large])
  setOwner(null)
  forgetMemories()
  await wipe('ana')
  reading.open()
  // Writing and reading run in sequence.
  setOwner('bia')
  await restoreDraftAttachments(rogerio.id)
  setOwner('ana')
  expect(names()).toEqual([])
  expect((await reloaded()).list).toEqual([])
})

it('a refused file stays, and those after it are sent', async () => {
  await attachFiles(rogerio.id, [file('a.pdf'), file('b.pdf')])
  sendFile.mockRejectedValueOnce(refused)
  await sendDraftAttachments(rogerio, NO_WORDS).isSent
  expect(sentNames()).toEqual(['a.pdf', 'b.pdf'])
  expect(see().list).toMatchObject([
    { file: { fileName: 'a.pdf' }, problem: 'Tipo de arquivo não suportado.' },
  ])
})

/** Uploads until it is cancelled. */
const untilStopped = (_to: unknown, _file: unknown, { onProgress, signal }: Way) =>
  new Promise((_, reject: (reason: unknown) => void) => {
    onProgress(0.4)
    signal.addEventListener('abort', () => reject(signal.reason))
  })

it('shows progress; a cancelled file stays without an error, and the next is sent', async () => {
  await attachFiles(rogerio.id, [file('a.pdf'), file('b.pdf')])
  sendFile.mockImplementationOnce(untilStopped)
  const sending = sendDraftAttachments(rogerio, NO_WORDS).isSent
  await eventually(() => expect(see().list[0]?.ratio).toBe(0.4))
  stopUpload(see().list[0]!)
  await sending
  expect(see().list).toMatchObject([{ file: { fileName: 'a.pdf' }, problem: null, ratio: null }])
  expect(sentNames()).toEqual(['a.pdf', 'b.pdf'])
})

it('a file removed during its upload is cancelled and gone', async () => {
  await attachFiles(rogerio.id, [file('a.pdf')])
  sendFile.mockImplementationOnce(untilStopped)
  const sending = sendDraftAttachments(rogerio, NO_WORDS).isSent
  await eventually(() => expect(see().list[0]?.ratio).toBe(0.4))
  detachFile(rogerio.id, see().list[0]!)
  await sending
  expect(names()).toEqual([])
})

it('after a lost response the conversation contains the file, so it is removed', async () => {
  await attachFiles(rogerio.id, [file('a.pdf'), file('b.pdf')])
  sendFile.mockRejectedValueOnce(offline)
  await sendDraftAttachments(rogerio, NO_WORDS).isSent
  settleDraftAttachments(rogerio.id, new Set([null, see().list[0]!.file.operationId]))
  expect(names()).toEqual(['b.pdf'])
})

it('a file that the conversation contains has not failed, though its response was lost', async () => {
  await attachFiles(rogerio.id, [file('a.pdf'), file('b.pdf')])
  sendFile.mockImplementationOnce((_to, { operationId }) => {
    queryClient.setQueryData(keys.conversation(rogerio.id), { messages: [message({ operationId })] })
    return Promise.reject(offline)
  })
  await sendDraftAttachments(rogerio, NO_WORDS).isSent
  expect(sentNames()).toEqual(['a.pdf', 'b.pdf'])
  expect(names()).toEqual([])
})

it('accepts allowed files and says why others were refused', async () => {
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

it('a picture is sent in its redrawn form, under its own name', async () => {
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

it('accepts ten at most', async () => {
  await attachFiles(
    rogerio.id,
    Array.from({ length: 12 }, (_, index) => file(`${index}.pdf`)),
  )
  await attachFiles(rogerio.id, [file('mais.pdf')])
  expect(names()).toHaveLength(10)
})

it('a voice message has its length', () => {
  attachVoice(rogerio.id, { file: new Blob(['som']), seconds: 7 })
  expect(see().list).toMatchObject([{ file: { kind: 'voice', seconds: 7 } }])
})

it('another person on the same device sees none of it', async () => {
  await attachFiles(rogerio.id, [file('a.pdf')])
  expect(mayLoseFiles()).toBe(true)
  setOwner('bia')
  expect(names()).toEqual([])
  expect(mayLoseFiles()).toBe(false)
  setOwner('ana')
  expect(names()).toEqual(['a.pdf'])
})
