// Dialogs that are useless without the server, loaded as one chunk.
export { ResultsDialog } from './report/results-dialog.tsx'
export { RulesDialog } from './rules-dialog.tsx'
