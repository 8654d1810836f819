/** The kinds of access that the audit trail records, and how FHIR's AuditEvent represents each. */
export interface AuditAction {
  readonly label: string;
  /** AuditEvent.type: a code of DICOM (http://dicom.nema.org/resources/ontology/DCM). */
  readonly type: keyof typeof dicom;
  /** AuditEvent.action: create, read, update, delete, execute. */
  readonly action: 'C' | 'R' | 'U' | 'D' | 'E';
  readonly recipient?: 'prior authorization service' | 'payer' | 'EHR' | 'user' | 'operator';
}

/** DICOM's display names of the codes in use. */
export const dicom = {
  '110106': 'Export',
  '110107': 'Import',
  '110110': 'Patient Record',
  '110114': 'User Authentication',
  '110101': 'Audit Log Used',
  '110136': 'Security Roles Changed',
} as const;

const record = (label: string, action: AuditAction['action']): AuditAction => ({ label, type: '110110', action });
const toService = (label: string): AuditAction => ({
  label,
  type: '110106',
  action: 'E',
  recipient: 'prior authorization service',
});

export const auditActions: Readonly<Record<string, AuditAction>> = {
  // access by a user or the bridge
  launched: { label: 'Signed in from a chart', type: '110114', action: 'E' },
  launch_refused: { label: 'Sign-in did not succeed', type: '110114', action: 'E' },
  chart_read: { label: 'Read the chart', type: '110107', action: 'R' },
  page_viewed: { ...record('Viewed a page', 'R'), recipient: 'user' },
  worklist_viewed: { ...record('Viewed the worklist', 'R'), recipient: 'user' },
  worklist_case_viewed: { ...record('Viewed a request in the worklist', 'R'), recipient: 'user' },
  signature_viewed: { ...record('Viewed what is to be signed', 'R'), recipient: 'user' },
  worklist_exported: { label: 'Worklist downloaded', type: '110106', action: 'R', recipient: 'user' },
  act_refused: record('Was refused to act on a request', 'E'),
  signed_in: { label: 'Signed in to the worklist', type: '110114', action: 'E' },
  letter_downloaded: { ...record('Downloaded a letter', 'R'), recipient: 'user' },
  document_viewed: { ...record('Viewed a document of the chart', 'R'), recipient: 'user' },
  file_attached: record('Attached a file', 'C'),
  file_removed: record('Removed an attached file', 'D'),
  sensitive_chosen: record('Chose sensitive evidence to be sent', 'U'),
  // changes of a case: the types of its events
  draft_opened: record('Draft opened', 'C'),
  sent: toService('Sent to the service'),
  accepted: record('Accepted by the service', 'U'),
  refused: record('Refused by the service', 'U'),
  not_sent: record('Not sent', 'U'),
  unclear: record('Sent, no certain answer', 'U'),
  found: record('Found at the service', 'U'),
  not_arrived: record('Said not to have arrived', 'U'),
  status: { label: 'Status read from the service', type: '110107', action: 'U' },
  cancel_asked: toService('Cancellation asked for'),
  appeal_noted: record('Appeal deadline entered', 'U'),
  approved_noted: record('Approved terms entered from the letter', 'U'),
  writeback_asked: record('Write-back asked for', 'U'),
  second_found: record('A second request found', 'U'),
  followed_other: record('Another request followed', 'U'),
  reported_after_end: record('Reported after the end', 'U'),
  arrived_cancelled: record('Arrived and cancelled there', 'U'),
  letter_kept: { label: 'Letter fetched from the service', type: '110107', action: 'C' },
  letter_missing: record('Letter not fetched yet', 'U'),
  letter_given_up: record('Letter not fetched, given up', 'U'),
  letter_asked: record('Letter asked for again', 'U'),
  assigned: record('Assigned', 'U'),
  taken_over: record('Taken over', 'U'),
  note_added: record('Note added for colleagues', 'U'),
  sign_asked: record('Handed over for signature', 'U'),
  signed: record('Signed', 'U'),
  sign_returned: record('Returned without signature', 'U'),
  marked_done: record('Marked as done', 'U'),
  asked: { label: 'The payer asked', type: '110107', action: 'C' },
  question_revealed: { ...record('Was shown a question with its credentials', 'R'), recipient: 'user' },
  question_kept: record('Question kept for the next request', 'C'),
  question_forgotten: record('Kept question removed', 'D'),
  replied: record('Reply entered', 'C'),
  reply_made: record('Reply written to be sent by hand', 'C'),
  reply_sent: { label: 'Reply sent by hand', type: '110106', action: 'U', recipient: 'payer' },
  reply_accepted: toService('Reply reached the service'),
  reply_unclear: toService('Reply sent, no certain answer'),
  reply_refused: toService('Reply refused'),
  reply_not_sent: record('Reply not sent', 'U'),
  reply_not_arrived: record('Reply said not to have arrived', 'U'),
  round_ended: record('The payer’s question closed', 'U'),
  chart_written: { label: 'Written to the chart', type: '110106', action: 'C', recipient: 'EHR' },
  // actions by operators and retention
  exported: { label: 'Audit trail exported', type: '110101', action: 'R', recipient: 'operator' },
  erased: record('Patient erased', 'D'),
  purged: record('Removed by retention', 'D'),
  rekeyed: { label: 'Sealed anew under the first key', type: '110136', action: 'E' },
};

/**
 * How an action appears in the audit trail. An action that this version does not know counts as access to the patient's
 * record.
 */
export function auditAction(name: string): AuditAction {
  return (Object.hasOwn(auditActions, name) ? auditActions[name] : undefined) ?? record(name, 'E');
}
