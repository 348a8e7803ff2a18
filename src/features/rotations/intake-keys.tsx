// The keys by which leads come in: what each brought, a new one, and revoking.
import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { type IntakeKey, intakeKeysQuery, type MadeKey, revokeIntakeKey } from './intake-keys-data.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { State } from '#ui/feedback/state.tsx'
import { LinkDialog } from '#ui/feedback/link-dialog.tsx'
import { useNow } from '#ui/now.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import {
  failed,
  KEY_WORDS,
  keyFacts,
  KEYS_HINT,
  KIND,
  NEW_KEY,
  NO_KEYS,
  NO_KEYS_HINT,
  REVOKE,
  REVOKE_CONSEQUENCE,
  REVOKE_DONE,
  REVOKE_FAILED,
  REVOKED,
  revokeLabel,
  revokeQuestion,
  shownTitle,
  shownHint,
  waiting,
} from './intake-texts.ts'
import { NewKeyDialog } from './new-key-dialog.tsx'

export function IntakeKeys() {
  const read = useQuery(intakeKeysQuery())
  const { data: intakeKeys } = read
  const isOnline = useIsOnline()
  const [isAdding, setAdding] = useState(false)
  // Each is shown this once: one that comes while another is read waits for it.
  const [[made = null], setMade] = useState<readonly MadeKey[]>([])
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3 pb-4">
        <p className="min-w-60 grow basis-0 text-14 leading-body text-text-2">{KEYS_HINT}</p>
        <Button
          icon={Plus}
          disabled={!isOnline}
          title={isOnline ? undefined : ONLINE_ONLY}
          onClick={() => setAdding(true)}
        >
          {NEW_KEY}
        </Button>
      </div>
      {intakeKeys ? (
        intakeKeys.length === 0 ? (
          <State kind="empty" icon={KeyRound} title={NO_KEYS} hint={NO_KEYS_HINT} />
        ) : (
          <ul className="flex flex-col gap-2.5">
            {intakeKeys.map((intakeKey) => (
              <KeyRow key={intakeKey.id} intakeKey={intakeKey} isOnline={isOnline} />
            ))}
          </ul>
        )
      ) : read.error ? (
        <FailedRead of={read} />
      ) : (
        <Skeleton className="h-40 rounded-lg!" />
      )}
      <NewKeyDialog
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        onMade={(key) => {
          setAdding(false)
          setMade((waiting) => [...waiting, key])
        }}
      />
      <LinkDialog
        title={made ? shownTitle(made.kind) : ''}
        shown={made && { link: made.shown, hint: shownHint(made.kind) }}
        words={KEY_WORDS}
        onClose={() => setMade((waiting) => waiting.slice(1))}
      />
    </>
  )
}

function KeyRow({ intakeKey, isOnline }: { intakeKey: IntakeKey; isOnline: boolean }) {
  const nowMs = useNow()
  const { id, kind, name, revokedAtMs, waitingCount, failedCount } = intakeKey
  const { mutate, isPending } = useMutation({
    ...revokeIntakeKey(),
    onSuccess: () => toast(REVOKE_DONE, 'success'),
    onError: () => toast(REVOKE_FAILED, 'error'),
  })
  const revoke = () =>
    ask({
      question: revokeQuestion(name),
      consequence: REVOKE_CONSEQUENCE,
      action: { label: REVOKE, run: () => mutate(id) },
    })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-surface px-4 py-3 shadow-card lg:px-5.5">
      <div className="min-w-60 grow basis-0">
        <h2 className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-16 leading-snug font-semibold tracking-name">
          <span className="wrap-anywhere">{name}</span>
          <Badge tone={revokedAtMs === null ? 'primary' : 'neutral'}>
            {revokedAtMs === null ? KIND[kind] : REVOKED}
          </Badge>
          {waitingCount > 0 && <Badge tone="info">{waiting(waitingCount)}</Badge>}
          {failedCount > 0 && <Badge tone="danger">{failed(failedCount)}</Badge>}
        </h2>
        <p className="mt-0.5 text-14 text-text-3 tabular-nums">{keyFacts(intakeKey, nowMs)}</p>
      </div>
      {revokedAtMs === null && (
        <Button
          variant="dangerLine"
          size="small"
          aria-label={revokeLabel(name)}
          disabled={!isOnline || isPending}
          onClick={revoke}
        >
          {REVOKE}
        </Button>
      )}
    </li>
  )
}
