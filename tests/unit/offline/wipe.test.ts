// What is deleted when a user signs out, or another one signs in on the same phone.
import 'fake-indexeddb/auto'
import { expect, it } from 'vitest'
import { readBoard, saveBoard } from '#offline/board-store.ts'
import { changeOutbox, listOutbox } from '#offline/outbox.ts'
import { readAnswer, saveAnswer } from '#offline/query-cache.ts'
import { wipe, wipeCachesOfOthers } from '#offline/wipe.ts'
import { lead, waitingMove } from '#tests/support/make-app.ts'

const INSTANCE = 'corretor_camila'
const answer = (owner: string) => ({ owner, name: '["link"]', kind: 'link', version: 1, most: 1 })

/** A board, a stored response and an outbox entry each. */
async function fill(...owners: string[]) {
  for (const owner of owners) {
    const leads = new Map([[7, lead({ id: 7 })]])
    const head = { cursor: 'e.1', stages: [], counts: new Map([['new', 1]]), pulledAtMs: 1 }
    const whole = { head, base: null, changed: [], removed: [], whole: leads }
    await saveBoard({ owner, instanceName: INSTANCE }, whole)
    await saveAnswer(answer(owner), { state: 'open' }, 1)
    await changeOutbox((entries) => [...entries, waitingMove(owner, INSTANCE)])
  }
}

async function heldOf(owner: string) {
  const board = await readBoard({ owner, instanceName: INSTANCE })
  const link = await readAnswer(answer(owner))
  const queue = (await listOutbox()).filter(({ userId }) => userId === owner)
  return { leads: board?.leads.length ?? null, hasLink: link !== null, queued: queue.length }
}

const ALL = { leads: 1, hasLink: true, queued: 1 }

it("‘Sair’ deletes all of one user's data and nothing of another’s", async () => {
  // ids before and after it in key order, and one with the same beginning
  await fill('a1', 'm1', 'm11', 'z1')
  await wipe('m1')
  expect(await heldOf('m1')).toEqual({ leads: null, hasLink: false, queued: 0 })
  for (const other of ['a1', 'm11', 'z1']) expect(await heldOf(other)).toEqual(ALL)
})

it("a sign-in deletes others' caches, never their outbox", async () => {
  await fill('a2', 'm2', 'm22', 'z2')
  await wipeCachesOfOthers('m2')
  expect(await heldOf('m2')).toEqual(ALL)
  for (const other of ['a2', 'm22', 'z2'])
    expect(await heldOf(other)).toEqual({ leads: null, hasLink: false, queued: 1 })
})
