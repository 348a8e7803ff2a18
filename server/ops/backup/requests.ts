// A command requests a backup from the portal that holds the data folder: by a file there, answered by a file. No
// further check is needed, because a user who can write there could copy the database itself; and it needs no network
// address.
import { randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import { makeFolder } from './files.ts'

const Answer = v.union([
  v.object({ file: v.string(), warnings: v.optional(v.array(v.string()), []) }),
  v.object({ fault: v.string() }),
])
export type Answer = v.InferInput<typeof Answer>

const WANTED = /^wanted-([0-9a-f-]{36})$/
const POLL_MS = 500
/** How long the command waits for an answer. The portal checks every two seconds. */
const HEARD_WITHIN_MS = 30_000

const wanted = (folder: string, id: string) => path.join(folder, `wanted-${id}`)
const answer = (folder: string, id: string) => path.join(folder, `answer-${id}`)

/** Takes all waiting requests; each is answered by its returned function. */
export async function takeRequests(folder: string): Promise<((answer: Answer) => Promise<void>)[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const ids = names.flatMap((name) => WANTED.exec(name)?.[1] ?? [])
  await Promise.all(ids.map((id) => rm(wanted(folder, id), { force: true })))
  return ids.map((id) => async (content: Answer) => {
    const aside = `${answer(folder, id)}.new`
    await writeFile(aside, JSON.stringify(content))
    await rename(aside, answer(folder, id))
  })
}

/** Asks and waits; `isAlive` tells whether the portal still runs. Raises `backup.unanswered`. */
export async function requestBackup(folder: string, clock: Clock, isAlive: () => boolean) {
  const id = randomUUID()
  await makeFolder(folder)
  await writeFile(wanted(folder, id), '')
  const askedMs = clock.now()
  let isHeard = false
  for (;;) {
    const content = await readFile(answer(folder, id), 'utf8').catch(() => null)
    if (content !== null) {
      await rm(answer(folder, id), { force: true })
      return v.parse(Answer, JSON.parse(content))
    }
    isHeard ||= !(await readdir(folder)).includes(path.basename(wanted(folder, id)))
    if (!isAlive() || (!isHeard && clock.now() - askedMs > HEARD_WITHIN_MS)) {
      await rm(wanted(folder, id), { force: true })
      throw new PortalError(
        'backup.unanswered',
        'O portal em uso não respondeu ao pedido de backup. Veja se ele está no ar e tente de novo.',
      )
    }
    await clock.sleep(POLL_MS)
  }
}
