// A process that reads uploads: `node uploadProcess.ts`.
import { runService } from '@stubwright/service';

interface Upload {
  readonly body: { readonly file?: File; readonly files?: readonly File[] };
}

await runService({
  handlers: {
    async upload({ body: { file, files = [] } }: Upload) {
      const all = file === undefined ? files : [file, ...files];
      const contents = await Promise.all(all.map((each) => each.bytes()));
      return { status: 200, body: contents.reduce((sum, { length }) => sum + length, 0) };
    },
  },
});
