-- The portal folds every two seconds now, so that a dashboard amid an import has no more than a moment's notes to add.
comment on function portal.fold_lead_deltas() is
  'Adds up what writes noted since the last time and answers how many notes those were. Called by the portal every two seconds; figures are the same before and after.';
