// What a lead's conversation asks about its plan: propose one, confirm one, or decide after its last step.
import { useState } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { isOpenStep, type LeadPlan } from '#domain/plan/plan.ts'
import { isPlanProposed, silentSince } from '#domain/plan/propose.ts'
import { useNow } from '#ui/now.ts'
import { useKnownStages, usePlan } from './data.ts'
import { isPlanNotNow, sayPlanNotNow } from './not-now.ts'
import { endWords, nameOf } from './texts.ts'

/** The lead has this long to answer the last step. */
const ASK_AFTER_MS = 86_400_000
/** The strip shows the end of a plan for this long. */
const TOLD_MS = 2 * 86_400_000

type What = 'propose' | 'confirm' | 'decide' | null

export function useAskedPlan(lead: Lead, messages: readonly Message[]) {
  const nowMs = useNow()
  const stages = useKnownStages(lead.instanceName)
  const [isLeft, setLeft] = useState(false)
  const { plan, templates, hours, isKnown } = usePlan(lead)
  const sinceMs = silentSince(lead, messages)
  const stage = stages.find(({ slug }) => slug === lead.stageSlug)
  const isProposed =
    isKnown &&
    !isLeft &&
    isPlanProposed({ lead, sinceMs, plan, isOpenStage: stage?.kind === 'open', nowMs }) &&
    !isPlanNotNow(lead.id, nowMs)
  const what: What = isProposed
    ? 'propose'
    : plan?.state === 'asking'
      ? 'confirm'
      : plan?.state === 'done' && lastOf(plan) < nowMs - ASK_AFTER_MS && !isLeft
        ? 'decide'
        : null
  const name = nameOf(lead)
  const isTold = plan?.reason === 'answered' && nowMs - plan.changedAtMs < TOLD_MS
  return {
    what,
    plan,
    hours,
    sinceMs,
    templates,
    /** Open steps of the running plan. */
    coming: plan?.state === 'running' ? plan.steps.filter(isOpenStep) : [],
    ended: plan && isTold ? endWords(plan, name) : null,
    leave: () => {
      sayPlanNotNow(lead.id, nowMs)
      setLeft(true)
    },
  }
}

const lastOf = ({ steps, changedAtMs }: LeadPlan) =>
  Math.max(0, ...steps.map(({ doneAtMs, dueAtMs }) => doneAtMs ?? dueAtMs)) || changedAtMs
