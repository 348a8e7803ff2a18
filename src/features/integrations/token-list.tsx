// API keys of other systems: permissions, last use, expiry.
import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { formatDate, formatRelative } from '#domain/format.ts'
import { ask } from '#ui/feedback/ask.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { LinkDialog } from '#ui/feedback/link-dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { useNow } from '#ui/now.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { Card } from '#ui/primitives/card.tsx'
import { revokeToken, type ServiceToken, serviceTokensQuery } from './data.ts'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { CHANGE_FAILED, NEW_TOKEN, GRANT_LABEL } from './texts.ts'

const REVOKE = 'Revogar'

const GRANT_LABELS = new Map<string, string>([
  ...Object.entries(GRANT_LABEL),
  ['prompts:read', 'Ler textos do agente'],
  ['prompts:write', 'Mudar textos do agente'],
  ['pauses:read', 'Ler pausas do agente'],
  ['memory', 'Memória do agente'],
])
const grantText = (grant: string) => GRANT_LABELS.get(grant) ?? grant

const TOKEN_WORDS = {
  copy: 'Copiar chave',
  copied: 'Chave copiada',
  copyFailed: 'Não foi possível copiar. Selecione a chave e copie.',
}

const TOKENS = 'Chaves de acesso'

const COLUMNS: readonly Column<ServiceToken>[] = [
  {
    title: 'Chave',
    place: 'head',
    cell: ({ name, tail }) => (
      <span className="flex flex-wrap items-baseline gap-x-2 py-2">
        <span className="font-medium wrap-anywhere">{name}</span>
        {tail !== null && <span className="font-mono text-13 text-text-3">••••{tail}</span>}
      </span>
    ),
  },
  {
    title: 'Permissões',
    place: 'words',
    cell: ({ grants }) => (
      <span className="flex flex-wrap gap-1 py-2">
        {grants.map((grant) => (
          <Badge key={grant} tone="neutral">
            {grantText(grant)}
          </Badge>
        ))}
      </span>
    ),
  },
  { title: 'Uso', isPlain: true, cell: (token) => <Used token={token} /> },
  { title: 'Fim', isPlain: true, cell: (token) => <Ends token={token} /> },
  { title: 'Ações', isPlain: true, isNumber: true, cell: (token) => <Revoke token={token} /> },
]

export function TokenList() {
  const read = useQuery(serviceTokensQuery())
  const isOnline = useIsOnline()
  const [isAdding, setAdding] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  return (
    <Card
      title={TOKENS}
      note={
        <a
          href="/api/v1/docs"
          target="_blank"
          rel="noreferrer"
          className="-my-3 inline-flex min-h-11 items-center font-medium text-primary"
        >
          Como usar a API
        </a>
      }
      action={
        <Button
          variant="line"
          icon={Plus}
          disabled={!isOnline}
          title={isOnline ? undefined : ONLINE_ONLY}
          onClick={() => setAdding(true)}
        >
          {NEW_TOKEN}
        </Button>
      }
    >
      {!read.data && read.error && <FailedRead of={read} />}
      {!read.data && !read.error && <Skeleton className="m-4 h-14 rounded-lg!" />}
      {read.data?.length === 0 && <p className="px-4 pb-4 text-14 text-text-2 lg:px-5">Nenhuma chave.</p>}
      {read.data && read.data.length > 0 && (
        <Table label={TOKENS} columns={COLUMNS} rows={read.data} keyOf={({ id }) => id} />
      )}
      <NewTokenDialog
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        onMade={(token) => {
          setAdding(false)
          setMade(token)
        }}
      />
      <LinkDialog
        title="Chave criada"
        shown={made === null ? null : { link: made, hint: 'Copie agora. Não será mostrada de novo.' }}
        words={TOKEN_WORDS}
        onClose={() => setMade(null)}
      />
    </Card>
  )
}

function Used({ token: { usedAtMs } }: { token: ServiceToken }) {
  const nowMs = useNow()
  return (
    <span className="text-text-2">
      {usedAtMs === null ? 'nunca usada' : `usada ${formatRelative(usedAtMs, nowMs)}`}
    </span>
  )
}

function Ends({ token: { expiresAtMs } }: { token: ServiceToken }) {
  const isOver = expiresAtMs <= useNow()
  return (
    <span className={isOver ? 'text-danger' : 'text-text-2'}>
      {`${isOver ? 'venceu em' : 'vence em'} ${formatDate(expiresAtMs)}`}
    </span>
  )
}

function Revoke({ token: { id, name } }: { token: ServiceToken }) {
  const isOnline = useIsOnline()
  const { mutate, isPending } = useMutation({
    ...revokeToken(id),
    onSuccess: () => toast('Chave revogada.', 'success'),
    onError: () => toast(CHANGE_FAILED, 'error'),
  })
  return (
    <Button
      variant="dangerLine"
      size="small"
      disabled={!isOnline || isPending}
      onClick={() =>
        ask({
          question: `Revogar a chave ${name}?`,
          consequence: 'O sistema que a usa deixa de ler e escrever no mesmo instante.',
          action: { label: REVOKE, run: () => mutate(null) },
        })
      }
    >
      {REVOKE}
    </Button>
  )
}
