// Entries for an erased person are deleted on the device; entries for others, and other users' entries, stay.
import 'fake-indexeddb/auto'
import { beforeEach, expect, it, vi } from 'vitest'
import { forgetErased, watchErased } from '#data/board/erased-leads.ts'
import { addEntry } from '#domain/outbox/queue.ts'
import { readDraft, writeDraft } from '#offline/drafts.ts'
import { keepFile, readFiles } from '#offline/draft-files.ts'
import { changeOutbox, listOutbox } from '#offline/outbox.ts'
import { forgetMemories, setOwner } from '#offline/owner.ts'

const { server } = vi.hoisted(() => ({
  server: { asked: [] as number[][], erased: [] as number[], isDown: false },
}))
vi.mock('#api/client.ts', () => ({
  rpc: (_: string, { p_contacts }: { p_contacts: number[] }) => {
    server.asked.push(p_contacts)
    if (server.isDown) return Promise.reject(new Error('no signal'))
    return Promise.resolve(p_contacts.filter((id) => server.erased.includes(id)))
  },
}))

let count = 0
let ana: string
beforeEach(async () => {
  Object.assign(server, { asked: [], erased: [], isDown: false })
  ana = `ana-${++count}`
  setOwner(ana)
  await changeOutbox(() => [])
})

const leadOf = (id: number) => ({ id, number: '5511955500142', name: 'Marina', instanceName: 'corretor_ana' })
const writes = (leadId: number, text: string, userId = ana) =>
  changeOutbox((entries) =>
    addEntry(
      entries,
      { kind: 'message.send', lead: leadOf(leadId), text, quotedMessageId: null },
      { id: `operation-${++count}`, userId, nowMs: 1 },
    ),
  )
const attachedFile = {
  file: {
    operationId: 'file-1',
    kind: 'document' as const,
    file: new Blob(['bytes']),
    fileName: 'a.pdf',
    caption: 'Tabela',
    quotedMessageId: null,
    seconds: null,
    width: null,
    height: null,
  },
  turn: 1,
  isTried: true,
}
const waiting = async () =>
  (await listOutbox()).map(({ command }) => ('text' in command ? command.text : command.kind))
function heard() {
  const counts: number[] = []
  return { counts, stop: watchErased((told) => counts.push(told)) }
}

it('deletes messages, moves and drafts of erased leads, and reports it once, without a name', async () => {
  await writes(7, 'Oi Marina')
  await writes(8, 'Oi Rogério')
  const move = { kind: 'lead.move', lead: leadOf(7), fromSlug: 'new', toSlug: 'won' } as const
  await changeOutbox((entries) => addEntry(entries, move, { id: 'move', userId: ana, nowMs: 1 }))
  await writeDraft('conversation:7', 'Marina, e a visita')
  await writeDraft('notes:9', 'Quer varanda')
  await writeDraft('conversation:8', 'Rogério')
  for (const id of [7, 8]) await keepFile({ owner: ana, contactId: id }, attachedFile)
  server.erased = [7, 9]
  const { counts, stop } = heard()
  await forgetErased()
  await forgetErased()
  stop()
  expect(await waiting()).toEqual(['Oi Rogério'])
  forgetMemories()
  expect([await readDraft('conversation:7'), await readDraft('notes:9')]).toEqual(['', ''])
  expect(await readDraft('conversation:8')).toBe('Rogério')
  expect(await readFiles({ owner: ana, contactId: 7 })).toEqual([])
  expect(await readFiles({ owner: ana, contactId: 8 })).toHaveLength(1)
  expect(counts).toEqual([2])
})

it("leaves another account's entries on this device to that account's next start", async () => {
  await writes(7, 'De Ana')
  await writes(7, 'De Bia', 'bia')
  server.erased = [7]
  await forgetErased()
  expect(await waiting()).toEqual(['De Bia'])
})

it('deletes nothing while the server is unreachable, and sends no request without entries', async () => {
  await forgetErased()
  expect(server.asked).toEqual([])
  await writes(7, 'Oi Marina')
  Object.assign(server, { erased: [7], isDown: true })
  const { counts, stop } = heard()
  await forgetErased()
  stop()
  expect([await waiting(), counts]).toEqual([['Oi Marina'], []])
})

it('changes nothing for a user who signed in meanwhile', async () => {
  await writes(7, 'Oi Marina')
  server.erased = [7]
  const forgetting = forgetErased()
  setOwner('bia')
  await forgetting
  expect(await waiting()).toEqual(['Oi Marina'])
})
