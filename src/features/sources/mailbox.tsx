// Settings of an e-mail source that polls the agency's mailbox every minute. They are off by default.
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { PortalError } from '#domain/errors.ts'
import { formatDate, formatHour } from '#domain/format.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { PasswordField, TextField } from '#ui/forms/field.tsx'
import { Switch } from '#ui/forms/switch.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { type Mailbox, type MailboxChange, mailboxQuery, removeMailbox, setMailbox } from './mailbox-data.ts'
import { CHANGE_FAILED } from './texts.ts'

const TITLE = 'Ou ler direto da caixa de e-mail'
const SAVE = 'Salvar caixa'
const TLS_PORT = '993'
const INBOX = 'INBOX'
const PROMISE =
  'O portal lê a cada minuto o que chegar a partir de agora e marca como lido. Nada é excluído. A senha fica cifrada.'

const FAULTS: Record<NonNullable<Mailbox['fault']>, string> = {
  password:
    'O servidor recusou o usuário ou a senha. Informe a senha de novo; no Gmail e no Outlook, uma senha de app.',
  address: 'Este servidor está em uma rede interna. Informe o endereço público dele.',
  folder: 'O servidor não tem esta pasta.',
  late: 'O servidor demorou demais. O portal tenta de novo sozinho.',
  connection: 'O servidor não respondeu. O portal tenta de novo sozinho.',
}

export function MailboxPart({ sourceId }: { sourceId: string }) {
  const read = useQuery(mailboxQuery(sourceId))
  if (read.data === undefined)
    return read.error ? <FailedRead of={read} /> : <Skeleton className="m-5 h-40 rounded-md!" />
  return <MailboxForm key={read.data === null ? 'none' : 'set'} sourceId={sourceId} mailbox={read.data} />
}

/** The form's fields as the user typed them. */
type Draft = Record<'host' | 'port' | 'username' | 'folder' | 'password', string>

const draftOf = (mailbox: Mailbox | null): Draft => ({
  host: mailbox?.host ?? '',
  port: String(mailbox?.port ?? TLS_PORT),
  username: mailbox?.username ?? '',
  folder: mailbox?.folder ?? INBOX,
  password: '',
})

const toChange = ({ host, port, username, folder, password }: Draft, isOn: boolean): MailboxChange => ({
  host: host.trim(),
  port: Number(port),
  username: username.trim(),
  folder: folder.trim() || INBOX,
  isOn,
  ...(password !== '' && { password }),
})

function MailboxForm({ sourceId, mailbox }: { sourceId: string; mailbox: Mailbox | null }) {
  const titleId = useId()
  const isOnline = useIsOnline()
  const [draft, setDraft] = useState(() => draftOf(mailbox))
  const { mutate, isPending } = useMutation({
    ...setMailbox(sourceId),
    onSuccess: () => setDraft((now) => ({ ...now, password: '' })),
    onError: (error) => toast(error instanceof PortalError ? error.message : CHANGE_FAILED, 'error'),
  })
  const remove = useMutation({
    ...removeMailbox(sourceId),
    onError: () => toast(CHANGE_FAILED, 'error'),
  })
  const isWhole =
    draft.host.trim() !== '' &&
    /^\d{1,5}$/.test(draft.port) &&
    draft.username.trim() !== '' &&
    (mailbox !== null || draft.password !== '')
  const save = (isOn: boolean) => mutate(toChange(draft, isOn))
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isWhole && !isPending) save(mailbox?.isOn ?? true)
  }
  return (
    <form
      noValidate
      aria-labelledby={titleId}
      onSubmit={onSubmit}
      className="flex flex-col gap-3 px-5 py-5 shadow-[0_-1px_0_var(--color-border)] max-[1199px]:px-3"
    >
      <span className="flex items-center gap-3">
        <h3 id={titleId} className="grow text-14 leading-snug font-medium">
          {TITLE}
        </h3>
        {mailbox && (
          <Switch
            label="Lê a caixa"
            isBare
            isOn={mailbox.isOn}
            isDisabled={!isOnline || isPending}
            onChange={save}
          />
        )}
      </span>
      {mailbox?.isOn && <MailboxState mailbox={mailbox} />}
      <MailboxFields
        draft={draft}
        isNew={mailbox === null}
        onChange={(part) => setDraft((now) => ({ ...now, ...part }))}
      />
      <span className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="soft"
          size="small"
          disabled={!isOnline || !isWhole}
          busy={isPending && 'Salvando...'}
        >
          {SAVE}
        </Button>
        {mailbox && (
          <Button
            type="button"
            variant="quiet"
            size="small"
            disabled={!isOnline || remove.isPending}
            onClick={() => remove.mutate(null)}
          >
            Tirar a caixa
          </Button>
        )}
      </span>
      <p className="text-13 leading-snug text-text-3">{PROMISE}</p>
    </form>
  )
}

type MailboxFieldsProps = { draft: Draft; isNew: boolean; onChange: (part: Partial<Draft>) => void }

function MailboxFields({ draft, isNew, onChange }: MailboxFieldsProps) {
  const plain = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_6rem] gap-x-3">
        <TextField
          label="Servidor (IMAP)"
          value={draft.host}
          placeholder="imap.gmail.com"
          maxLength={253}
          {...plain}
          onChange={({ target }) => onChange({ host: target.value })}
        />
        <TextField
          label="Porta"
          value={draft.port}
          inputMode="numeric"
          maxLength={5}
          {...plain}
          onChange={({ target }) => onChange({ port: target.value })}
        />
      </div>
      <TextField
        label="Usuário"
        value={draft.username}
        placeholder="leads@imobiliaria.com.br"
        maxLength={254}
        {...plain}
        onChange={({ target }) => onChange({ username: target.value })}
      />
      <PasswordField
        label={isNew ? 'Senha' : 'Senha (vazia: fica a de antes)'}
        value={draft.password}
        maxLength={500}
        autoComplete="off"
        onChange={({ target }) => onChange({ password: target.value })}
      />
      <TextField
        label="Pasta"
        value={draft.folder}
        maxLength={200}
        {...plain}
        onChange={({ target }) => onChange({ folder: target.value })}
      />
    </>
  )
}

function MailboxState({ mailbox: { fault, readAtMs } }: { mailbox: Mailbox }) {
  if (fault !== null)
    return <output className="block text-13 leading-snug text-on-danger-soft">{FAULTS[fault]}</output>
  return (
    <output className="block text-13 text-text-2">
      {readAtMs === null ? 'Ainda não lida' : `Lida em ${formatDate(readAtMs)}, ${formatHour(readAtMs)}`}
    </output>
  )
}
