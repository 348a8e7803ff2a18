// Shows a link or another secret once. It is copied automatically if the browser allows that, otherwise by a button.
import { Check, Copy, MessageCircle } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { Button } from '../primitives/button.tsx'
import { copyText } from '../clipboard.ts'
import { Dialog } from '../primitives/overlay/dialog.tsx'

type LinkDialogProps = {
  title: string
  /** `message` is a text with the link in it, which can be copied too. */
  shown: { link: string; hint: string; message?: string } | null
  /** Labels of the copy button for a secret that is not a link. */
  words?: { copy: string; copied: string; copyFailed: string }
  /** Actions that are possible while the secret is shown. */
  children?: ReactNode
  onClose: () => void
}

const LINK_WORDS = {
  copy: 'Copiar link',
  copied: 'Link copiado',
  copyFailed: 'Não foi possível copiar. Selecione o link e copie.',
}

export function LinkDialog({ title, shown, words = LINK_WORDS, children, onClose }: LinkDialogProps) {
  return (
    <Dialog isOpen={shown !== null} onClose={onClose} title={title}>
      {shown && (
        <CopiedLink key={shown.link} title={title} {...shown} words={words} onClose={onClose}>
          {children}
        </CopiedLink>
      )}
    </Dialog>
  )
}

type CopiedLinkProps = {
  title: string
  link: string
  hint: string
  message?: string
  words: typeof LINK_WORDS
  children: ReactNode
  onClose: () => void
}

function CopiedLink({ title, link, hint, message, words, children, onClose }: CopiedLinkProps) {
  const [copying, setCopying] = useState<'no' | 'done' | 'failed' | 'message'>('no')
  const hintId = useId()
  const copy = async () => setCopying((await copyText(link)) ? 'done' : 'failed')
  const copyMessage = async (text: string) => setCopying((await copyText(text)) ? 'message' : 'failed')
  // Tries to copy at once. If the browser requires a click, the user presses the button.
  useEffect(() => {
    let isHere = true
    void copyText(link).then((isCopied) => isHere && isCopied && setCopying('done'))
    return () => {
      isHere = false
    }
  }, [link])
  return (
    <div className="flex flex-col gap-4 px-3 pt-1">
      <p id={hintId} className="leading-body wrap-anywhere text-text-2">
        {hint}
      </p>
      <input
        readOnly
        value={link}
        aria-label={title}
        aria-describedby={hintId}
        onFocus={(event) => event.target.select()}
        className="min-h-12 w-full min-w-0 rounded-md bg-surface-2 px-4 text-14 text-text shadow-input outline-none focus:shadow-input-focus"
      />
      <output className="block text-13 text-text-2 empty:hidden">
        {copying === 'failed' && words.copyFailed}
        {copying === 'done' && `${words.copied}.`}
        {copying === 'message' && 'Mensagem copiada.'}
      </output>
      {message !== undefined && (
        <Button variant="soft" icon={MessageCircle} onClick={() => void copyMessage(message)}>
          Copiar mensagem com o link
        </Button>
      )}
      {children}
      <div className="grid grid-cols-2 gap-2">
        <Button variant="line" onClick={onClose}>
          Concluir
        </Button>
        <Button icon={copying === 'done' ? Check : Copy} onClick={() => void copy()}>
          {words.copy}
        </Button>
      </div>
    </div>
  )
}
