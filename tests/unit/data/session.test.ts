// What is shown, stored and deleted with each session: locked when lost, deleted by 'Sair', cleared for another user.
import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { TokenClaims } from '#domain/session.ts'
import { eventually } from '#tests/support/eventually.ts'
import { entry } from '#tests/support/make-app.ts'

type Listener = (claims: TokenClaims | null) => void

const { auth } = vi.hoisted(() => {
  const listeners: Listener[] = []
  return {
    auth: {
      stored: null as TokenClaims | null,
      /** Called while the server handles the sign-out. */
      onLeaving: null as (() => void) | null,
      listen: (listener: Listener) => void (listeners[0] = listener),
      /** Does what auth-js does when the session changes, in this tab or another. */
      tell: (claims: TokenClaims | null) => listeners[0]?.(claims),
    },
  }
})
vi.mock('#api/stored-session.ts', () => ({ storedClaims: () => Promise.resolve(auth.stored) }))
vi.mock('#offline/when-to-send.ts', () => ({ keepSending: () => () => undefined }))
vi.mock('#api/auth.ts', () => ({
  watchSession: auth.listen,
  followSession: () => undefined,
  signIn: () => Promise.resolve(auth.stored),
  signOut: () => {
    auth.onLeaving?.()
    return Promise.resolve(auth.tell(null))
  },
  forgetSession: () => Promise.resolve(auth.tell(null)),
}))

const claimsOf = (id: string): TokenClaims => ({
  sub: id,
  app_metadata: { portal_role: 'broker', username: id, instance_id: null, instance_name: `corretor_${id}` },
})

let nextPerson = 1
let camila: string
let rafael: string

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  camila = `camila${nextPerson}`
  rafael = `rafael${nextPerson++}`
  auth.stored = null
  auth.onLeaving = null
  vi.resetModules()
})

/** A new tab: fresh modules, the same device. */
async function openTab() {
  const { queryClient } = await import('#data/query-client.ts')
  const { currentOwner } = await import('#offline/owner.ts')
  const { readAnswer, saveAnswer } = await import('#offline/query-cache.ts')
  const { changeOutbox, listOutbox } = await import('#offline/outbox.ts')
  const { readDraft, writeDraft } = await import('#offline/drafts.ts')
  const { UNNUMBERED } = await import('#domain/outbox/queue.ts')
  const session = await import('#data/session.ts')
  const { exit } = await import('#features/account/exit-data.ts')
  const { beginWork } = await import('#app/signed-in.ts')
  const slot = (owner: string) => ({ owner, name: 'list', kind: 'list', version: 1, most: 1 })
  return {
    queryClient,
    currentOwner,
    readDraft,
    writeDraft,
    session,
    exit,
    /** The work that the app starts for a signed-in user. */
    begin: (id: string) => beginWork({ id, username: id, role: 'admin' })(),
    start: async (stored: string | null) => {
      auth.stored = stored === null ? null : claimsOf(stored)
      await session.startSession()
    },
    /** A user's cached data and outbox entries. */
    use: async (owner: string) => {
      queryClient.setQueryData(['list'], `of ${owner}`)
      await saveAnswer(slot(owner), `of ${owner}`, 1)
      const lead = { id: 7, number: null, name: null, instanceName: null }
      const command = { kind: 'lead.note', lead, base: '', text: owner } as const
      await changeOutbox((entries) => [
        ...entries,
        entry(command, { seq: UNNUMBERED, id: `note-${owner}`, userId: owner }),
      ])
    },
    held: async (owner: string) => ({
      seen: (await readAnswer(slot(owner)))?.data ?? null,
      queued: (await listOutbox()).filter(({ userId }) => userId === owner).length,
    }),
  }
}

const gone = (owner: string, held: (owner: string) => Promise<{ seen: unknown }>) =>
  eventually(async () => expect((await held(owner)).seen).toBeNull())

describe('a lost session', () => {
  it('locks, keeps everything, and continues with the same person', async () => {
    const { session, start, use, held, queryClient, currentOwner } = await openTab()
    await start(camila)
    await use(camila)
    auth.tell(null)
    expect(session.sessionNow()).toMatchObject({ status: 'locked', user: { id: camila } })
    expect(currentOwner()).toBeNull()
    expect(await held(camila)).toEqual({ seen: `of ${camila}`, queued: 1 })

    auth.tell(claimsOf(camila))
    expect(session.sessionNow()).toMatchObject({ status: 'in', user: { id: camila } })
    expect(currentOwner()).toBe(camila)
    expect(queryClient.getQueryData(['list'])).toBe(`of ${camila}`)
    expect(await held(camila)).toEqual({ seen: `of ${camila}`, queued: 1 })
  })

  it('is still locked after the app was closed', async () => {
    const before = await openTab()
    await before.start(camila)
    auth.tell(null)
    vi.resetModules()
    const after = await openTab()
    await after.start(null)
    expect(after.session.sessionNow()).toMatchObject({ status: 'locked', user: { id: camila } })
    expect(after.currentOwner()).toBeNull()
  })

  it('with another person’s key counts as nobody', async () => {
    localStorage.setItem('user', JSON.stringify({ id: camila }))
    const { session, start } = await openTab()
    await start(null)
    expect(session.sessionNow()).toEqual({ status: 'out' })
  })
})

describe('another person on the same phone', () => {
  it('sees nothing of the first, whose outbox waits', async () => {
    const { begin, session, start, use, held, queryClient } = await openTab()
    await start(camila)
    await use(camila)
    auth.tell(null)
    auth.tell(claimsOf(rafael))
    begin(rafael)
    expect(session.sessionNow()).toMatchObject({ status: 'in', user: { id: rafael } })
    expect(queryClient.getQueryData(['list'])).toBeUndefined()
    await gone(camila, held)
    expect(await held(camila)).toEqual({ seen: null, queued: 1 })
  })

  it('signed in in another tab sees nothing in this one', async () => {
    const { begin, start, use, held, queryClient } = await openTab()
    await start(camila)
    await use(camila)
    // the data that the tab stored
    localStorage.setItem(
      'user',
      JSON.stringify({ ...claimsOf(rafael), id: rafael, username: rafael, role: 'admin' }),
    )
    auth.tell(claimsOf(rafael))
    begin(rafael)
    expect(queryClient.getQueryData(['list'])).toBeUndefined()
    await gone(camila, held)
  })
})

describe('‘Sair’', () => {
  it("leaves none of the user's data", async () => {
    const { exit, session, start, use, held, queryClient } = await openTab()
    await start(camila)
    await use(camila)
    await exit()
    expect(session.sessionNow()).toEqual({ status: 'out' })
    expect(localStorage.getItem('user')).toBeNull()
    expect(queryClient.getQueryData(['list'])).toBeUndefined()
    expect(await held(camila)).toEqual({ seen: null, queued: 0 })
  })

  it('is not undone by a link that was being fetched', async () => {
    const { exit, session, start } = await openTab()
    await start(camila)
    auth.onLeaving = () => session.noteConnection(true)
    await exit()
    expect(session.sessionNow()).toEqual({ status: 'out' })
    expect(localStorage.getItem('whatsappConnectionStatus')).toBeNull()
  })

  it('is not undone by a renewal in progress', async () => {
    const { exit, session, start, currentOwner } = await openTab()
    await start(camila)
    const owners: unknown[] = []
    auth.onLeaving = () => {
      auth.tell(claimsOf(camila))
      owners.push(currentOwner())
    }
    await exit()
    expect(owners).toEqual([null])
    expect(session.sessionNow()).toEqual({ status: 'out' })
    auth.tell(claimsOf(camila))
    expect(currentOwner()).toBe(camila)
  })

  it('notifies the service worker, however early it comes', async () => {
    const said: unknown[] = []
    const registration = { active: { postMessage: (word: unknown) => said.push(word) } }
    vi.stubGlobal('navigator', { serviceWorker: { getRegistration: () => Promise.resolve(registration) } })
    const { exit, start } = await openTab()
    await start(camila)
    await exit()
    expect(said).toEqual([{ type: 'LEFT' }])
  })

  it("in another tab clears the typed text in this tab's memory", async () => {
    const { start, readDraft, writeDraft } = await openTab()
    const { wipe } = await import('#offline/wipe.ts')
    await start(camila)
    await writeDraft('notes:7', 'Quer varanda')
    localStorage.removeItem('user')
    await wipe(camila)
    auth.tell(null)
    auth.tell(claimsOf(camila))
    expect(await readDraft('notes:7')).toBe('')
  })

  it("keeps another user's entries", async () => {
    const { exit, start, use, held } = await openTab()
    await start(camila)
    await use(rafael)
    await exit()
    expect((await held(rafael)).queued).toBe(1)
  })
})

it('reopening the app deletes nothing', async () => {
  const first = await openTab()
  await first.start(camila)
  await first.use(camila)
  vi.resetModules()
  const second = await openTab()
  await second.start(camila)
  expect(second.session.sessionNow()).toMatchObject({ status: 'in', user: { id: camila } })
  expect(await second.held(camila)).toEqual({ seen: `of ${camila}`, queued: 1 })
})
