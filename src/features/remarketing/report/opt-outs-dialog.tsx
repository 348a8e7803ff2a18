// Lists the people who opted out. A button at each one undoes that.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type OptOut, optOutsQuery, undoOptOut } from '#data/campaign-rules.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { displayName } from '#domain/broker.ts'
import { formatDate, formatDateTime } from '#domain/format.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { ALLOW, ALLOW_FAILED, allowed, allowQuestion } from '#domain/opt-out-texts.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { MORE, OPT_OUTS } from '../texts.ts'

const askedOut = (date: string, broker: string) => `Pediu em ${date} · ${broker}`

export function OptOutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={OPT_OUTS}>
      <OptOuts />
    </Dialog>
  )
}

function OptOuts() {
  const [pages, setPages] = useState(1)
  const optOuts = useQuery(optOutsQuery(pages))
  const { data, isError, isFetching } = optOuts
  // The hook's callbacks run even if the user closes the list or chooses another person; those of the `mutate` call
  // would not.
  const { mutate } = useMutation({
    ...undoOptOut(),
    onSuccess: (_answer, person) => toast(allowed(leadTitle(person)), 'success'),
    onError: () => toast(ALLOW_FAILED, 'error'),
  })
  const allow = (person: OptOut) => ask(allowQuestion(leadTitle(person), () => mutate(person)))
  return (
    <div className="flex flex-col gap-2 px-3">
      <p className="text-14 leading-message text-text-2">
        Quem escreveu que não quer mais divulgação não recebe campanhas de nenhum corretor.
      </p>
      <FailedRead of={optOuts} shownFrom={data && formatDateTime(optOuts.dataUpdatedAt)} isRow />
      {!data && !isError && <Skeleton className="h-40 rounded-lg!" />}
      {data?.people.length === 0 && (
        <p className="py-6 text-center text-15 text-text-2">Ninguém pediu para sair.</p>
      )}
      <ul>
        {data?.people.map((person) => (
          <OptOutRow key={person.contactId} person={person} onAllow={() => allow(person)} />
        ))}
      </ul>
      {data?.hasMore && (
        <Button variant="line" busy={isFetching && MORE} onClick={() => setPages(pages + 1)}>
          {MORE}
        </Button>
      )}
    </div>
  )
}

function OptOutRow({ person, onAllow }: { person: OptOut; onAllow: () => void }) {
  const isOnline = useIsOnline()
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 shadow-topbar last:shadow-none">
      <span className="min-w-0 flex-[1_1_10rem]">
        <span className="block truncate text-15 font-medium">{leadTitle(person)}</span>
        <span className="block text-13 text-text-3">
          {askedOut(formatDate(person.atMs), displayName(person.instanceName))}
        </span>
      </span>
      <Button
        variant="line"
        disabled={!isOnline}
        onClick={onAllow}
        aria-label={`${ALLOW}: ${leadTitle(person)}`}
      >
        {ALLOW}
      </Button>
    </li>
  )
}
