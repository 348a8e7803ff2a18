// One prompt in its editor: the saved text, the typed text, the device's draft, and saving.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import { saveDraft, type SaveEnd, standingQuery } from './prompts-data.ts'
import type { PromptField } from '#domain/agent/agent.ts'
import { forgetPromptDraft, type PromptDraft, readPromptDraft, writePromptDraft } from './prompt-draft.ts'

/** The save button stays green for this long after a save. */
const FLASH_MS = 2_000

type Conflict = Extract<SaveEnd, { kind: 'conflict' }>
type Intent = { text: string; base: number | null }

export type Prompt = ReturnType<typeof usePrompt>

export function usePrompt(agentId: number, field: PromptField) {
  const read = useQuery(standingQuery(agentId, field))
  const { data: standing } = read
  const typed = useTyped(agentId, field)
  const { mutateAsync, isPending, error: saveError, reset } = useMutation(saveDraft(agentId, field))
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [hasJustSaved, flash] = useFlash()
  const { edit } = typed
  const text = edit?.text ?? standing?.text ?? ''
  const isDirty = edit !== null && edit.text !== standing?.text

  const write = (next: string) => {
    reset()
    if (standing && next === standing.text) typed.give()
    else typed.keep({ base: edit ? edit.base : (standing?.version ?? null), text: next })
  }
  /**
   * Saves over `base`, the version that the user saw. Returns false if nothing was saved; `saveError` then has the
   * reason.
   */
  const saveOver = async (intent: Intent): Promise<boolean> => {
    const end = await mutateAsync({ ...intent, operationId: newOperationId() }).catch(() => null)
    if (end?.kind === 'conflict') setConflict(end)
    if (end?.kind !== 'saved') return false
    setConflict(null)
    flash()
    await typed.settle(intent.text, end.standing.version)
    return true
  }
  return {
    standing,
    read,
    text,
    write,
    isDirty,
    isRestored: typed.isRestored && isDirty,
    give: typed.give,
    save: () => void (edit && isDirty && !isPending && saveOver({ text: edit.text, base: edit.base })),
    isSaving: isPending,
    saveError,
    hasJustSaved,
    conflict,
    dismissConflict: () => setConflict(null),
    takeTheirs: () => {
      setConflict(null)
      typed.give()
    },
    keepMine: (theirs: Conflict) => void saveOver({ text, base: theirs.standing.version }),
    /** Saves an earlier version's text and discards unsaved text. Returns false if nothing was saved. */
    restoreVersion: async (intent: Intent): Promise<boolean> => {
      const isSaved = await saveOver(intent)
      if (isSaved) typed.give()
      return isSaved
    },
  }
}

/**
 * While the user has typed nothing, the text follows saves by others. Typed text stays until it is saved or discarded.
 */
function useTyped(agentId: number, field: PromptField) {
  const [edit, setEdit] = useState<PromptDraft | null>(null)
  const [isRestored, setRestored] = useState(false)

  const restore = useEffectEvent((draft: PromptDraft | null) => {
    // The user may have typed before the device's draft was read; the typed text wins.
    if (!draft || edit) return
    setEdit(draft)
    setRestored(true)
  })
  useEffect(() => {
    let isHere = true
    void readPromptDraft(agentId, field).then((draft) => isHere && restore(draft))
    return () => {
      isHere = false
    }
  }, [agentId, field])

  const keep = (draft: PromptDraft) => {
    writePromptDraft(agentId, field, draft)
    setEdit(draft)
  }
  const give = () => {
    forgetPromptDraft(agentId, field)
    setEdit(null)
    setRestored(false)
  }
  /** Runs after a save. Text that the user typed meanwhile stays, based on the new version. */
  const settle = async (saved: string, version: number | null) => {
    const draft = await readPromptDraft(agentId, field)
    if (draft && draft.text !== saved) keep({ ...draft, base: version })
    else give()
  }
  return { edit, isRestored, keep, give, settle }
}

function useFlash(): [boolean, () => void] {
  const [count, setCount] = useState(0)
  const [shown, setShown] = useState(0)
  useEffect(() => {
    if (count === 0) return undefined
    const timer = setTimeout(() => setShown(count), FLASH_MS)
    return () => clearTimeout(timer)
  }, [count])
  return [count > shown, () => setCount((before) => before + 1)]
}
