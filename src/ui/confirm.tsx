// A question before something that cannot be taken back; the action is named by its verb. DESIGN-SYSTEM 9.
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { CANCEL } from './texts.ts'

type ConfirmProps = {
  isOpen: boolean
  onClose: () => void
  question: string
  consequence: string
  action: { label: string; run: () => void }
}

export function Confirm({ isOpen, onClose, question, consequence, action }: ConfirmProps) {
  const confirm = () => {
    onClose()
    action.run()
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={question}>
      <p className="px-3 pb-5 leading-body text-text-2">{consequence}</p>
      <div className="grid grid-cols-2 gap-2 px-3">
        <Button variant="line" onClick={onClose}>
          {CANCEL}
        </Button>
        <Button variant="danger" onClick={confirm}>
          {action.label}
        </Button>
      </div>
    </Dialog>
  )
}
