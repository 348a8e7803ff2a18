// Dialogs that need the portal's answer, loaded as one.
export { ResultsDialog } from './report/results-dialog.tsx'
export { RulesDialog } from './rules-dialog.tsx'
