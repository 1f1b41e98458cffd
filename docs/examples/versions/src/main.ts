// Starts the service.
import { runService } from '@stubwright/service';
import { service } from './service.ts';

await runService(service);
