// Keeps the stream of live events open while the app is visible, and refetches what has changed.
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { isPortalThere, readEvents } from '#api/event-stream.ts'
import { log } from '#api/log.ts'
import { keys } from '#data/keys.ts'
import { NO_BROKER } from '#domain/broker.ts'
import type { PortalEvent } from '#domain/events.ts'
import { isState } from '#domain/outbox/command.ts'
import { notePortal } from '#offline/connectivity.ts'
import { drain } from '#offline/flush.ts'
import { listOutbox } from '#offline/outbox.ts'

const FIRST_WAIT_MS = 1_000
/** Reconnecting waits at most this long, because a database that changes its leader is back after half a minute. */
const MAX_BACKOFF_MS = 10_000

/** Every message of a campaign changes this data, and reading it is expensive, so it is read this often at most. */
const SLOW_EVERY_MS = 30_000
/** The board shows this device's own changes already, so the refetch waits this long and covers several of them. */
const OWN_AFTER_MS = 30_000

/**
 * Opens the stream and returns the function that stops it. The stream closes while the app is hidden. Its first event
 * after that refetches everything.
 */
export function followEvents(queryClient: QueryClient): () => void {
  const poke = createPokes(queryClient)
  const pokeSlowly = createSlowPokes(poke)
  const own = createOwnPokes(poke)
  let stream: AbortController | null = null

  const open = () => {
    if (stream || document.visibilityState === 'hidden') return
    stream = new AbortController()
    const receive = (event: PortalEvent) => {
      // A gap means that the server was away and is back, even if the device noticed no change of network.
      if (event.kind === 'gap') void drain('online')
      if (event.kind === 'still') return readOlder(queryClient)
      if (event.kind === 'board' && event.operationId !== undefined) {
        void own.poke(event.operationId, keysOf(event))
        return
      }
      keysOf(event).forEach(poke)
      if (event.kind !== 'campaign') return
      // No campaign was running, so the event is a campaign's start or end, not one of its many messages.
      const isFirst = queryClient.getQueryData(keys.activeCampaign(event.instanceName)) === null
      const slow = [keys.campaignResults(event.instanceName), keys.campaignReport()]
      slow.forEach(isFirst ? poke : pokeSlowly)
    }
    void follow(receive, stream.signal)
  }
  const close = () => {
    stream?.abort()
    stream = null
  }
  const turn = () => (document.visibilityState === 'hidden' ? close() : open())
  const reopen = () => {
    close()
    open()
  }
  document.addEventListener('visibilitychange', turn)
  addEventListener('online', reopen)
  open()
  return () => {
    document.removeEventListener('visibilitychange', turn)
    removeEventListener('online', reopen)
    own.end()
    close()
  }
}

/** Reads the stream. When it ends, reconnects after growing waits. */
async function follow(onEvent: (event: PortalEvent) => void, signal: AbortSignal) {
  let waitMs = FIRST_WAIT_MS
  while (!signal.aborted) {
    try {
      await readEvents((event) => {
        waitMs = FIRST_WAIT_MS
        notePortal(event.kind !== 'away')
        onEvent(event)
      }, signal)
    } catch (error) {
      if (!signal.aborted) {
        log.warn('events.lost', error)
        notePortal(await isPortalThere())
      }
    }
    await sleep(waitMs * (0.5 + Math.random()), signal)
    waitMs = Math.min(waitMs * 2, MAX_BACKOFF_MS)
  }
}

function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, delayMs)
    signal.addEventListener('abort', wake)
  })
}

const isConversation = ([kind]: QueryKey) => kind === keys.conversation(0)[0]

function keysOf(event: PortalEvent): QueryKey[] {
  switch (event.kind) {
    case 'board':
      return [keys.board(event.instanceName), keys.agentConversations()]
    case 'conversation':
      return [keys.conversation(event.contactId)]
    case 'link':
      return [keys.link(event.instanceName), keys.brokers(), keys.agentList()]
    case 'campaign':
      return [keys.activeCampaign(event.instanceName)]
    case 'offers':
      return [keys.offers()]
    case 'brokers':
    case 'teams':
      return [keys.brokers()]
    case 'stages':
      return [keys.stages(), keys.board(NO_BROKER)]
    case 'agents':
      return [keys.agents()]
    case 'rotations':
      return [keys.rotations()]
    case 'gap':
      return [[]]
    case 'still':
    case 'away':
      return []
  }
}

/** Refetches data that the device stored before this page was opened and that no read has renewed. */
function readOlder(queryClient: QueryClient) {
  void queryClient.invalidateQueries({
    predicate: ({ state }) => state.dataUpdatedAt < performance.timeOrigin,
  })
}

/**
 * Delays the refetch after a change of this device whose response contained the whole result. After other changes it
 * refetches at once.
 */
function createOwnPokes(poke: (queryKey: QueryKey) => void) {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  return {
    async poke(operationId: string, queryKeys: QueryKey[]) {
      // If the outbox cannot be read, nobody knows whether this device made the change, so it refetches at once.
      const entries = await listOutbox().catch(() => [])
      if (!entries.some(({ id, command }) => id === operationId && isState(command)))
        return queryKeys.forEach(poke)
      for (const queryKey of queryKeys) {
        const name = JSON.stringify(queryKey)
        clearTimeout(timers.get(name))
        timers.set(
          name,
          setTimeout(() => poke(queryKey), OWN_AFTER_MS),
        )
      }
    },
    end: () => timers.forEach(clearTimeout),
  }
}

/** Runs the first refetch at once, and joins all later ones of the interval into one at its end. */
function createSlowPokes(poke: (queryKey: QueryKey) => void) {
  const resting = new Map<string, { isDirty: boolean }>()
  return function slowPoke(queryKey: QueryKey) {
    const name = JSON.stringify(queryKey)
    const current = resting.get(name)
    if (current) {
      current.isDirty = true
      return
    }
    const rest = { isDirty: false }
    resting.set(name, rest)
    poke(queryKey)
    setTimeout(() => {
      resting.delete(name)
      if (rest.isDirty) slowPoke(queryKey)
    }, SLOW_EVERY_MS)
  }
}

/**
 * Runs one fetch at a time per key. If events came meanwhile, one more follows, so that none is missed and none piles
 * up.
 */
function createPokes(queryClient: QueryClient) {
  const running = new Map<string, { isDirty: boolean }>()
  return (queryKey: QueryKey) => {
    const name = JSON.stringify(queryKey)
    const current = running.get(name)
    if (current) {
      current.isDirty = true
      return
    }
    void read(name, queryKey)
  }

  async function read(name: string, queryKey: QueryKey) {
    const state = { isDirty: true }
    running.set(name, state)
    while (state.isDirty) {
      state.isDirty = false
      await underWay(queryKey)
      // Conversations are refetched after closing too, so that they are up to date when opened offline.
      await queryClient.invalidateQueries({
        queryKey,
        refetchType: isConversation(queryKey) ? 'all' : 'active',
      })
    }
    running.delete(name)
  }

  /** Lets a fetch finish that began before the event. If each event cancelled it, none would end on a weak signal. */
  async function underWay(queryKey: QueryKey) {
    const busy = queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })
    await Promise.allSettled(busy.map(async (query) => query.promise))
  }
}
