// Compares a recorded request with a contract.
import type { Violation } from '@stubwright/contract/values';
import { messageOf, type RecordedRequest, receivedRequest } from '@stubwright/traffic';
import type { Exchange, RequestCheck } from 'stubwright/internals';

/** @returns the violations, without those of credentials and bodies that are not recorded */
export async function checkedRequest(
  check: RequestCheck,
  recorded: RecordedRequest,
): Promise<{ readonly exchange: Exchange; readonly violations: readonly Violation[] }> {
  const { exchange, violations } = await check.checkWhole(receivedRequest(messageOf(recorded)));
  const isRecorded = ({ where }: Violation) =>
    where !== 'credentials' && !(recorded.isBodyOmitted && where === '');
  return { exchange, violations: violations.filter(isRecorded) };
}
