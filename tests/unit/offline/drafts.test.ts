// Typed text survives any reload, and is invisible to other users.
import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it } from 'vitest'
import { readDevice } from '#offline/database.ts'
import { leaveDraft, listDrafts, readDraft, writeDraft } from '#offline/drafts.ts'
import { forgetMemories, setOwner } from '#offline/owner.ts'
import { wipe, wipeCachesOfOthers } from '#offline/wipe.ts'

let nextOwner = 1
let ana: string
let bia: string
beforeEach(() => {
  ana = `ana-${nextOwner}`
  bia = `bia-${nextOwner++}`
  setOwner(ana)
})

/** A promise with its resolve function. */
function later() {
  let keep = () => {}
  const isKept = new Promise<void>((resolve) => (keep = resolve))
  return { isKept, keep: () => keep() }
}

const onDevice = async (place: string) => (await readDevice((db) => db.get('drafts', [ana, place])))?.text

describe('a draft', () => {
  it('is the last text typed for its key, after a reload too', async () => {
    await writeDraft('conversation:7', 'Bom d')
    await writeDraft('conversation:7', 'Bom dia')
    await writeDraft('notes:7', 'Quer varanda')
    expect(await readDraft('conversation:7')).toBe('Bom dia')
    forgetMemories()
    expect(await readDraft('conversation:7')).toBe('Bom dia')
    expect(await readDraft('notes:7')).toBe('Quer varanda')
    expect(await readDraft('conversation:8')).toBe('')
  })

  it('is listed by the rest of its key, as typed last, without files and other keys', async () => {
    await writeDraft('conversation:7', 'Bom dia')
    await writeDraft('conversation:8', 'Segue a tabela')
    await writeDraft('notes:7', 'Quer varanda')
    expect([...(await listDrafts('conversation:'))]).toEqual([
      ['7', 'Bom dia'],
      ['8', 'Segue a tabela'],
    ])
    const sent = later()
    void leaveDraft('conversation:7', sent.isKept)
    expect((await listDrafts('conversation:')).get('7')).toBe('')
    sent.keep()
    setOwner(bia)
    expect([...(await listDrafts('conversation:'))]).toEqual([])
  })

  it('keeps the order of inputs that were not awaited', async () => {
    const inputs = ['B', 'Bo', 'Bom', 'Bo', 'Boa', 'Boa t']
    await Promise.all(inputs.map((text) => writeDraft('conversation:7', text)))
    forgetMemories()
    expect(await readDraft('conversation:7')).toBe('Boa t')
  })

  it('is deleted once it is empty', async () => {
    await writeDraft('conversation:7', 'Bom dia')
    await writeDraft('conversation:7', '')
    expect(await readDraft('conversation:7')).toBe('')
    forgetMemories()
    expect(await readDraft('conversation:7')).toBe('')
  })

  it('is deleted once the text is stored elsewhere, and never before', async () => {
    await writeDraft('conversation:7', 'Bom dia')
    const { isKept, keep } = later()
    const leaving = leaveDraft('conversation:7', isKept)
    expect(await readDraft('conversation:7')).toBe('')
    forgetMemories()
    expect(await readDraft('conversation:7')).toBe('Bom dia')
    const left = leaveDraft('conversation:7', isKept)
    keep()
    await Promise.all([leaving, left])
    forgetMemories()
    expect(await readDraft('conversation:7')).toBe('')
  })

  it('stays if the text could not be stored elsewhere, and so does text typed meanwhile', async () => {
    await writeDraft('conversation:7', 'Bom dia')
    await leaveDraft('conversation:7', Promise.reject(new Error('full')))
    forgetMemories()
    expect(await readDraft('conversation:7')).toBe('Bom dia')
    const { isKept, keep } = later()
    const leaving = leaveDraft('conversation:7', isKept)
    await writeDraft('conversation:7', 'Pode')
    keep()
    await leaving
    forgetMemories()
    expect(await readDraft('conversation:7')).toBe('Pode')
  })

  it('stays while a text sent after it is not stored yet', async () => {
    const first = later()
    const second = later()
    await writeDraft('conversation:7', 'Bom dia')
    const leaving = leaveDraft('conversation:7', first.isKept)
    await writeDraft('conversation:7', 'Pode')
    const leavingToo = leaveDraft('conversation:7', second.isKept)
    first.keep()
    await leaving
    expect(await onDevice('conversation:7')).toBe('Pode')
    second.keep()
    await leavingToo
    expect(await onDevice('conversation:7')).toBeUndefined()
  })

  it('belongs to its user alone, and waits while another is signed in', async () => {
    await writeDraft('conversation:7', 'Bom dia')
    setOwner(bia)
    await wipeCachesOfOthers(bia)
    expect(await readDraft('conversation:7')).toBe('')
    await writeDraft('conversation:7', 'Oi')
    setOwner(ana)
    expect(await readDraft('conversation:7')).toBe('Bom dia')
    forgetMemories()
    expect(await readDraft('conversation:7')).toBe('Bom dia')
  })

  it('is not stored while nobody is signed in', async () => {
    await writeDraft('conversation:7', 'Bom dia')
    setOwner(null)
    expect(await readDraft('conversation:7')).toBe('')
    await writeDraft('conversation:7', 'Oi')
    setOwner(ana)
    expect(await readDraft('conversation:7')).toBe('Bom dia')
  })

  it("is gone after ‘Sair’, and others' drafts stay", async () => {
    await writeDraft('conversation:7', 'Bom dia')
    setOwner(bia)
    await writeDraft('conversation:7', 'Oi')
    await wipe(ana)
    forgetMemories()
    expect(await readDraft('conversation:7')).toBe('Oi')
    setOwner(ana)
    expect(await readDraft('conversation:7')).toBe('')
  })
})
