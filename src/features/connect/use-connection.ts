// Runs the connection's state machine: requests codes, asks every 3 seconds whether the phone is linked, and reports
// failures.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useReducer, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { askForCode, cureLink, linkNowQuery, linkQuery } from '#data/link.ts'
import { PortalError } from '#domain/errors.ts'
import type { LinkOffer } from '#domain/link.ts'
import { toast } from '#ui/feedback/toast.ts'
import { isCodeDue, reduceConnection, startConnection, type Cure } from './connection-steps.ts'

const TICK_MS = 1_000

export type Beginning = { number?: string | null; cure?: Cure | null }

export function useConnection(instanceName: string) {
  const [nowMs, setNowMs] = useState(() => Date.now())
  const [connection, dispatch] = useReducer(reduceConnection, nowMs, startConnection)
  const isOnline = useIsOnline()
  const queryClient = useQueryClient()
  const { data: link, dataUpdatedAt } = useQuery(linkNowQuery(instanceName))
  const { step, number } = connection

  const run = useCallback(async (ask: () => Promise<LinkOffer>) => {
    try {
      dispatch({ type: 'offered', offer: await ask(), nowMs: Date.now() })
    } catch (error) {
      const isPassing = error instanceof PortalError && error.status === 0
      const message = error instanceof PortalError ? error.message : 'QR code não recebido'
      dispatch({ type: 'failed', isPassing, nowMs: Date.now() })
      toast(`Erro ao conectar WhatsApp: ${message}`, 'error')
    }
  }, [])

  /** Starts anew. `number` asks for a code to type on that phone; `cure` first tries a remedy for a stuck gateway. */
  const begin = ({ number: wanted = null, cure = null }: Beginning = {}) => {
    dispatch({ type: 'begun', number: wanted, cure, nowMs: Date.now() })
    void run(async () => {
      if (cure !== null) await cureLink(instanceName, cure)
      return askForCode(instanceName, wanted)
    })
  }

  useEffect(() => void run(() => askForCode(instanceName, null)), [run, instanceName])

  const tick = useEffectEvent(() => {
    const now = Date.now()
    setNowMs(now)
    dispatch({ type: 'ticked', nowMs: now })
    if (!isOnline || !isCodeDue(connection, now)) return
    dispatch({ type: 'asked', nowMs: now })
    void run(() => askForCode(instanceName, number))
  })
  useEffect(() => {
    const timer = setInterval(() => tick(), TICK_MS)
    return () => clearInterval(timer)
  }, [])

  // During a move the old link stays open. The new link is open once the move has ended.
  const isMoving = link?.isMoving ?? false
  const state = isMoving ? undefined : link?.state
  useEffect(() => {
    if (state) dispatch({ type: 'seen', state, nowMs: dataUpdatedAt })
  }, [state, dataUpdatedAt])
  useEffect(() => {
    if (step === 'connected') void queryClient.invalidateQueries(linkQuery(instanceName))
  }, [step, queryClient, instanceName])

  return { connection, nowMs, isOnline, isMoving, begin }
}
