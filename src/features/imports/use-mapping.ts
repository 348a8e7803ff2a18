// The state of an import before it starts: the choices, the check of the rows, and the upload.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { stagesQuery } from '#data/board/stage-changes.ts'
import { brokersQuery } from '#data/brokers.ts'
import { MAX_ROWS } from '#domain/lead/list/limits.ts'
import { bringIn, countKnown, type Destination } from './data.ts'
import type { ListHead } from './list-protocol.ts'
import type { ListReader } from './list-reader.ts'
import { firstChoices, leftOut, planOf, withHead } from './plan.ts'

export type Chosen = { file: File; reader: ListReader; head: ListHead; id: string }

export function useMapping({ file, reader, head, id }: Chosen, onDone: () => void) {
  const [choices, setChoices] = useState(() => firstChoices(head))
  const [destination, setDestination] = useState<Destination>({ destination: 'inbox' })
  const [development, setDevelopment] = useState('')
  const { data: brokers = [] } = useQuery(brokersQuery())
  const { data: stages = [] } = useQuery(stagesQuery())
  const ours = {
    brokers: brokers.flatMap(({ instanceName, isCentral }) => (isCentral ? [] : [instanceName])),
    stages: stages.map(({ slug, name }) => ({ slug, name })),
  }
  const plan = planOf(choices, ours)
  const asked = [id, choices.sheets.map((one) => one.head.header), plan]
  const checked = useQuery({
    queryKey: ['import-check', ...asked],
    queryFn: () => reader.check(plan),
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    placeholderData: (before) => before,
  }).data
  const isTooLong = (checked?.total ?? 0) > MAX_ROWS
  const known = useQuery({
    queryKey: ['import-known', ...asked],
    queryFn: async ({ signal }) => countKnown(await reader.people(plan), signal),
    enabled: checked !== undefined && !isTooLong,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  }).data
  const sending = useMutation(bringIn())
  const header = useMutation({
    mutationFn: (line: number | null) => reader.header(choices.shown, line),
    networkMode: 'always',
    onSuccess: (changed) => setChoices((now) => withHead(now, now.shown, changed)),
  })
  const total = checked?.total ?? 0
  const good = checked ? checked.good - checked.repeated : 0
  const submit = () =>
    sending.mutate(
      {
        id,
        fileName: file.name.slice(-200),
        total,
        destination,
        development,
        sheets: plan.sheets.flatMap(({ index }) => choices.sheets[index]?.head ?? []),
        reader,
        plan,
      },
      // Passed to this call, not to useMutation, so that it does not run if the dialog shows something else by then.
      { onSuccess: onDone },
    )
  return {
    choices,
    setChoices,
    ours,
    destination,
    setDestination,
    development,
    setDevelopment,
    checked,
    total,
    /** How many people can become leads. */
    good,
    /** How many of these people are leads already; undefined until the portal has answered. */
    known,
    leftOut: leftOut(choices),
    setHeader: header.mutate,
    isBusy: sending.isPending,
    isReady: checked !== undefined && !isTooLong,
    fault: faultOf({ good, isTooLong, isChecked: checked !== undefined, error: sending.error }),
    submit,
  }
}

type Faults = { good: number; isTooLong: boolean; isChecked: boolean; error: Error | null }

function faultOf({ good, isTooLong, isChecked, error }: Faults): string | null {
  if (isTooLong) return 'A lista passa de 50 mil linhas. Tire uma planilha, ou divida em mais de um arquivo.'
  if (isChecked && good === 0) return 'Nenhuma linha pode virar lead. Confira a coluna do telefone.'
  return (
    error &&
    (error.message || 'O envio parou. Confira a internet e tente de novo: o que já foi não se repete.')
  )
}
