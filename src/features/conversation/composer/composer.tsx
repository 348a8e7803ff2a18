// Writing to the lead: text, quick replies, files and voice messages, above the on-screen keyboard.
import { Send } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { attachFiles, attachVoice, detachFile } from '../ground/attachments-data.ts'
import { retryDraftAttachment, stopUpload } from '#data/messages/send-attachments.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { MAX_TEXT } from '#domain/message/outgoing.ts'
import { tremble } from '#ui/feedback/haptics.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { useLettersLeft } from '#ui/forms/letters-left.ts'
import { AnswerBar } from './quote-bar.tsx'
import { AttachButton } from './attach-button.tsx'
import { AttachmentStrip } from './attachment-strip.tsx'
import { ComposerBox } from './composer-box.tsx'
import { HelperRow } from './helper-row.tsx'
import { SEND } from '../ground/texts.ts'
import { askToSendLater } from '../later/later-opening.ts'
import { LaterPlace } from '../later/later-place.tsx'
import { useLongPress } from '../message/use-long-press.ts'
import { useDraft } from './use-draft.ts'
import { useOutgoing } from './use-outgoing.ts'
import { useReplyFile } from './use-reply-file.ts'
import { useVoice } from '../voice/use-voice.ts'
import { VoiceBar } from '../voice/voice-bar.tsx'
import { VoiceButton } from '../voice/voice-button.tsx'

const VOICE_PROBLEM = {
  tooShort: 'Segure para gravar e solte para enviar.',
  denied: 'O microfone está bloqueado. Libere-o para este site nos ajustes do navegador.',
  missing: 'Nenhum microfone encontrado neste aparelho.',
  busy: 'O microfone está em uso por outro aplicativo.',
  unsupported: 'Este navegador não grava áudio. Anexe um arquivo de áudio.',
}

type ComposerProps = {
  lead: Lead
  messages: readonly Message[]
  /** The message that the broker replies to; null if none. */
  answered: Message | null
  onAnswered: (message: Message | null) => void
  invites?: string | undefined
}

export function Composer({ lead, messages, answered, onAnswered, invites }: ComposerProps) {
  const box = useRef<HTMLTextAreaElement>(null)
  const draft = useDraft(`conversation:${lead.id}`)
  const { text, write: setText } = draft
  const { field: limited, left, cut } = useLettersLeft(text, MAX_TEXT)
  const hintId = useId()
  const chosen = useReplyFile(lead.id)
  const outgoing = useOutgoing({ lead, messages, draft, chosen, answered, onAnswered })
  const { voice, problem, taken, dispatch } = useVoice({
    onSend: (recording) => {
      attachVoice(lead.id, recording)
      void outgoing.sendFiles('')
    },
    onLeft: (recording) => attachVoice(lead.id, recording),
  })
  const isWriting = voice.step === 'idle'
  const focus = () => box.current?.focus({ preventScroll: true })
  useEffect(() => {
    if (answered) box.current?.focus({ preventScroll: true })
  }, [answered])
  const dropAnswer = () => onAnswered(null)
  const attach = (files: readonly File[]) => void attachFiles(lead.id, files)
  const write = (written: string, edits: boolean) => {
    setText(written)
    if (edits) focus()
  }
  const send = () => {
    outgoing.send()
    focus()
  }
  return (
    <div className="composer shrink-0 bg-surface pb-[max(12px,var(--safe-bottom))] short:pb-[max(4px,var(--safe-bottom))]">
      {answered && <AnswerBar message={answered} name={lead.name} onDrop={dropAnswer} />}
      <AttachmentStrip
        contactId={lead.id}
        onRetry={() => void retryDraftAttachment(lead)}
        onStop={stopUpload}
        onRemove={(attachment) => {
          detachFile(lead.id, attachment)
          setText(withCaption(attachment.file.caption, text))
        }}
      />
      <HelperRow
        {...{ lead, messages, text, chosen }}
        isFree={isWriting && outgoing.isEmpty && answered === null}
        isShown={isWriting && outgoing.isEmpty}
        onWrite={write}
      />
      <Hints id={hintId} left={left}>
        {cut ?? (problem && VOICE_PROBLEM[problem])}
      </Hints>
      <div className="flex flex-wrap items-end gap-1.5 pt-2 pr-2.5 pl-1.5 short:pt-1">
        {isWriting ? (
          <>
            <AttachButton lead={lead} onFiles={attach} onMaterial={outgoing.send} />
            <ComposerBox
              ref={box}
              label={outgoing.isCaption ? 'Legenda' : 'Mensagem'}
              placeholder={outgoing.isCaption ? undefined : invites}
              {...{ hintId, limited, text }}
              onText={setText}
              onSend={send}
              onFiles={attach}
              onEscape={answered === null ? undefined : dropAnswer}
            />
          </>
        ) : (
          <VoiceBar voice={voice} taken={taken} dispatch={dispatch} />
        )}
        {isWriting && outgoing.canSend ? (
          <SendButton onSend={send} onLater={() => askToSendLater(lead.id)} />
        ) : (
          <VoiceButton voice={voice} dispatch={dispatch} canBegin={() => !outgoing.hasJustSent()} />
        )}
      </div>
      <LaterPlace lead={lead} text={text} isFree={outgoing.isEmpty} onDone={() => setText('')} />
    </div>
  )
}

/** Below the box: the sending error, and the number of letters left. */
function Hints({ id, left, children }: { id: string; left: ReactNode; children: ReactNode }) {
  return (
    <>
      <p role="alert" className="px-4 pt-2 text-13 text-danger empty:hidden">
        {children}
      </p>
      <p id={id} className="px-4 pt-2 text-13 text-text-3 empty:hidden">
        {left}
      </p>
    </>
  )
}

const SEND_LATER_MS = 350

/** Returns a failed file's caption to the box, in front of text typed meanwhile. */
const withCaption = (caption: string, text: string) =>
  text === '' || caption === '' ? caption + text : `${caption}\n${text}`

type SendButtonProps = { onSend: () => void; onLater: () => void }

/** The send button. A long press or a right click opens 'Enviar depois'. */
function SendButton({ onSend, onLater }: SendButtonProps) {
  const press = useLongPress(() => {
    tremble('done')
    onLater()
  }, SEND_LATER_MS)
  return (
    <button
      type="button"
      aria-label={SEND}
      title="Segure para enviar depois"
      {...press}
      onPointerDown={(event) => {
        // Keeps the on-screen keyboard open.
        event.preventDefault()
        press.onPointerDown(event)
      }}
      onClick={onSend}
      className="inline-flex size-11 shrink-0 items-center justify-center rounded-full bg-primary text-on-primary transition-colors hover:bg-primary-hover active:scale-95"
    >
      <Icon of={Send} />
    </button>
  )
}
