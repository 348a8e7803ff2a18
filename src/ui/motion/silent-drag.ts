// Silences the announcements of the drag library. Lists announce pointer and keyboard drags themselves.

export const SILENT_DRAG = {
  restoreFocus: false,
  screenReaderInstructions: { draggable: '' },
  announcements: {
    onDragStart: () => undefined,
    onDragOver: () => undefined,
    onDragEnd: () => undefined,
    onDragCancel: () => undefined,
  },
}
