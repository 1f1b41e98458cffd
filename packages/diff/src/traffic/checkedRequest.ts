// Compares a recorded request with a contract.
import type { Violation } from '@stubwright/contract/values';
import { messageOf, REDACTED, type RecordedRequest, receivedRequest } from '@stubwright/traffic';
import type { Exchange, RequestCheck } from 'stubwright/internals';

/** @returns the violations, without those of credentials, marked values and bodies, which are not recorded */
export async function checkedRequest(
  check: RequestCheck,
  recorded: RecordedRequest,
): Promise<{ readonly exchange: Exchange; readonly violations: readonly Violation[] }> {
  const { exchange, violations } = await check.checkWhole(receivedRequest(messageOf(recorded)));
  const isRecorded = ({ where, value }: Violation) =>
    where !== 'credentials' && value !== REDACTED && !(recorded.isBodyOmitted && where === '');
  return { exchange, violations: violations.filter(isRecorded) };
}
