// Moves a card for all gestures: vibrates, shows the move at once, offers an undo, and explains a refusal.
import { leadTitle } from '#domain/lead/lead.ts'
import { useEffect, useLayoutEffect, useState } from 'react'
import { type LeadMove, moveLead, onRefusedMove, type RefusedMove, undoMove } from '#data/board/moves.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { Stage } from '#domain/stage.ts'
import { ask } from '#ui/feedback/ask.ts'
import { tremble } from '#ui/feedback/haptics.ts'
import { announce, toast } from '#ui/feedback/toast.ts'
import { expectArrival, type Side } from '../ground/arrivals.ts'
import type { Column } from '../ground/board-view.ts'
import { movedTo, moveQuestion, standsAt, standsAtSpoken } from './texts.ts'

const MOVE_FAILED = 'Erro ao atualizar status do lead. Tente novamente.'

const UNKNOWN_ERROR = 'Erro desconhecido'
/** `reason` is the server's text; null if the request failed. */
const moveRefused = (reason: string | null) =>
  reason === null ? MOVE_FAILED : `Erro ao atualizar status: ${reason || UNKNOWN_ERROR}`

/** How the card was moved. */
export type MoveWay = 'swipe' | 'drag' | 'keys' | 'sheet'

export type BoardMoves = {
  /** Does nothing if the lead is in that stage already, or the board has no such stage. */
  move: (lead: Lead, toSlug: string, how?: MoveWay) => void
  /** Undoes the last move; up to five in a row. */
  undoLast: () => void
}

/** The keyboard can undo this many moves; older ones stay. */
const MAX_UNDONE = 5

/** The toast appears after this delay, when the card is already moving. */
const TOAST_AFTER_MS = 120

/** A board calls this once. The returned functions stay the same between renders. */
export function useBoardMoves(columns: readonly Column[]): BoardMoves {
  const [flow] = useState(createFlow)
  useLayoutEffect(() => flow.see(columns), [flow, columns])
  useEffect(() => onRefusedMove(flow.toastRefused), [flow])
  return flow
}

function createFlow() {
  let columns: readonly Column[] = []
  const trail = createTrail()
  const stageOf = (slug: string) => columns.find(({ stage }) => stage.slug === slug)?.stage

  const undo = (move: LeadMove) => {
    trail.forget(move)
    tremble('step')
    expectArrival(move.lead.id, sideOf(move, columns))
    announce('Movimento desfeito.')
    undoMove(move).catch(() => toast(MOVE_FAILED, 'error'))
  }
  const write = async (lead: Lead, stage: Stage) => {
    tremble('done')
    try {
      const move = await moveLead(lead, stage.slug)
      // Counts the move, because the app offers its installation after some.
      void noteMove()
      trail.add(move)
      setTimeout(() => {
        if (!trail.has(move)) return
        const action = { label: 'Desfazer', run: () => undo(move) }
        const spoken = `${leadTitle(lead)} movido para ${stage.name}. Desfazer disponível.`
        toast(movedTo(lead, stage.name), 'info', { action, strong: stage.name, spoken })
      }, TOAST_AFTER_MS)
    } catch {
      tremble('failed')
      toast(MOVE_FAILED, 'error')
    }
  }
  return {
    /** Passes the newest columns, from which a move finds its stage. */
    see: (next: readonly Column[]) => {
      columns = next
    },
    move: (lead: Lead, toSlug: string, how?: MoveWay) => {
      const stage = stageOf(toSlug)
      if (!stage || toSlug === lead.stageSlug) return
      const run = () => trail.await(write(lead, stage))
      if (how !== 'swipe' || !asksFirst(stage)) return run()
      ask({
        question: moveQuestion(lead, stage.name),
        consequence: 'Este estágio encerra o atendimento. Depois ainda dá para desfazer.',
        action: { label: 'Mover', run, tone: 'primary' },
      })
    },
    undoLast: () => trail.withLast(undo),
    toastRefused: ({ move, reason, stageSlug }: RefusedMove) => {
      trail.forget(move)
      tremble('failed')
      const place = { stage: stageOf(stageSlug)?.name ?? stageSlug, isBack: stageSlug === move.fromSlug }
      const spoken = standsAtSpoken(move.lead, place)
      toast(`${moveRefused(reason)}\n${standsAt(move.lead, place)}`, 'error', { spoken })
    },
  }
}

/** Remembers moves that can be undone. A move that is still being stored counts as the last one. */
function createTrail() {
  let done: readonly LeadMove[] = []
  let written = Promise.resolve()
  return {
    has: (move: LeadMove) => done.includes(move),
    add: (move: LeadMove) => {
      done = [...done, move].slice(-MAX_UNDONE)
    },
    forget: ({ operationId }: LeadMove) => {
      done = done.filter((move) => move.operationId !== operationId)
    },
    await: (writing: Promise<void>) => {
      written = written.then(() => writing)
    },
    withLast: (run: (move: LeadMove) => void) =>
      void written.then(() => {
        const last = done.at(-1)
        if (last) run(last)
      }),
  }
}

/** True for closing stages, won or lost. A swipe into one is easily made by mistake, so it asks for confirmation. */
export function asksFirst(stage: Stage): boolean {
  return stage.kind !== 'open'
}

/** Returns the side on which a moved card left; an undone card returns from there. */
function sideOf({ fromSlug, toSlug }: LeadMove, columns: readonly Column[]): Side {
  const at = (slug: string) => columns.findIndex(({ stage }) => stage.slug === slug)
  return at(toSlug) < at(fromSlug) ? 'left' : 'right'
}

async function noteMove() {
  const install = await import('#live/install.ts').catch(() => null)
  install?.noteInstall(() => ({ hasMoved: true }))
}
