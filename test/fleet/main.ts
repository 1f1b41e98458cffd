// Starts the fleet.
import { runService } from '@stubwright/service';
import { service } from './service.ts';

await runService(service);
